import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type FinanceCommand, runFinance } from '../../infra/finance/command.ts';

/** Runs a command of finance on a local database. */
export function finance(command: FinanceCommand, endpoint: string, ...words: string[]) {
  const environment = { DYNAMODB_ENDPOINT: endpoint };
  return runFinance(command, words, { environment, progress: () => undefined });
}

/** The full export in a folder: where it lies, and its manifests. */
export function exportIn(root: string) {
  const [id = ''] = readdirSync(join(root, 'AWSDynamoDB'));
  const own = join(root, 'AWSDynamoDB', id);
  const read = (name: string) => readFileSync(join(own, name), 'utf8');
  const lines = read('manifest-files.json').trimEnd().split('\n');
  const summary = JSON.parse(read('manifest-summary.json'));
  return { id, own, read, files: lines.map((line) => JSON.parse(line)), summary };
}

/** Adds an incremental export to a folder, as DynamoDB writes it below a prefix of its own. */
export function addIncremental(
  root: string,
  { from, to, images }: { from: string; to: string; images: readonly object[] },
): void {
  const { summary } = exportIn(root);
  const id = `${String(Date.parse(to)).padStart(14, '0')}-aaaaaaaa`;
  const prefix = `incremental/${to.slice(0, 10)}/AWSDynamoDB`;
  const dataFileS3Key = `${prefix}/data/${id}.json.gz`;
  const rows = images.map((NewImage) => ({
    Metadata: { WriteTimestampMicros: { N: '1' } },
    Keys: {},
    NewImage,
  }));
  const bytes = gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const md5Checksum = createHash('md5').update(bytes).digest('base64');
  const file = { itemCount: images.length, md5Checksum, etag: '', dataFileS3Key };
  const manifest = {
    ...summary,
    version: '2023-08-01',
    manifestFilesS3Key: `${prefix}/${id}/manifest-files.json`,
    itemCount: images.length,
    exportFromTime: from,
    exportToTime: to,
    outputView: 'NEW_IMAGE',
    exportType: 'INCREMENTAL_EXPORT',
  };
  mkdirSync(join(root, prefix, id), { recursive: true });
  mkdirSync(join(root, prefix, 'data'), { recursive: true });
  writeFileSync(join(root, dataFileS3Key), bytes);
  writeFileSync(join(root, prefix, id, 'manifest-files.json'), `${JSON.stringify(file)}\n`);
  writeFileSync(join(root, prefix, id, 'manifest-summary.json'), JSON.stringify(manifest));
}

/** The cells of one row of a table on the page, as plain text, by the row's first cell. */
export function rowOf(html: string, section: string, name: string): string[] {
  const [, part = ''] = html.split(`<section id="${section}">`);
  const rows = part.split('</section>')[0]?.match(/<tr>.*?<\/tr>/gs) ?? [];
  const cells = rows.map((row) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      cell.replaceAll(/<[^>]+>/g, '').replaceAll(',', ''),
    ),
  );
  return cells.find(([first]) => first === name) ?? [];
}
