import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  type AttributeValue,
  DescribeTableCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { EXPORT_ROOT } from './exports-folder.ts';

/** What was written. */
export interface WrittenExport {
  readonly exportId: string;
  readonly itemCount: number;
  readonly dataFiles: number;
}

interface ExportOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  /** Plays the bucket: the export lies below `AWSDynamoDB/` in it. */
  readonly folder: string;
  /** Called after each page with the rows written so far. */
  readonly onProgress?: (items: number) => void;
}

/** Rows of one data file, about: a page is never cut. */
const ITEMS_PER_FILE = 50_000;

type Row = Record<string, AttributeValue>;

interface WrittenFile {
  readonly itemCount: number;
  readonly md5Checksum: string;
  readonly etag: string;
  readonly dataFileS3Key: string;
}

/**
 * Writes a table as a full export of DynamoDB to S3 would, page by page. Unlike there, it is no
 * snapshot: a row written meanwhile may be in it or not. The summary comes last, so that an export
 * that was cut short is not taken for one. Throws errors of the client and of the file system.
 */
export async function writeExport(options: ExportOptions): Promise<WrittenExport> {
  const { client, table, folder } = options;
  const startTime = new Date();
  const exportId = newExportId(startTime);
  const prefix = `${EXPORT_ROOT}/${exportId}`;
  const described = await client.send(new DescribeTableCommand({ TableName: table }));
  await mkdir(join(folder, prefix, 'data'), { recursive: true });
  await writeFile(join(folder, prefix, '_started'), '');
  const files = await writeDataFiles(options, `${prefix}/data`);
  const itemCount = files.reduce((sum, file) => sum + file.itemCount, 0);
  const tableArn = described.Table?.TableArn ?? table;
  const lines = files.map((file) => `${JSON.stringify(file)}\n`).join('');
  await writeChecked(join(folder, prefix, 'manifest-files'), lines);
  const summary = {
    version: '2020-06-30',
    exportArn: `${tableArn}/export/${exportId}`,
    startTime: startTime.toISOString(),
    endTime: new Date().toISOString(),
    tableArn,
    tableId: described.Table?.TableId ?? null,
    exportTime: startTime.toISOString(),
    s3Bucket: 'local',
    s3Prefix: null,
    s3SseAlgorithm: null,
    s3SseKmsKeyId: null,
    manifestFilesS3Key: `${prefix}/manifest-files.json`,
    billedSizeBytes: 0,
    itemCount,
    outputFormat: 'DYNAMODB_JSON',
    exportType: 'FULL_EXPORT',
  };
  await writeChecked(join(folder, prefix, 'manifest-summary'), JSON.stringify(summary));
  return { exportId, itemCount, dataFiles: files.length };
}

async function writeDataFiles(options: ExportOptions, prefix: string): Promise<WrittenFile[]> {
  const pages = scanPages(options);
  const files: WrittenFile[] = [];
  for (let next = await pages.next(); !next.done; next = await pages.next()) {
    files.push(
      await writeDataFile({ folder: options.folder, prefix, firstPage: next.value, pages }),
    );
  }
  return files;
}

async function* scanPages({ client, table, onProgress }: ExportOptions): AsyncGenerator<Row[]> {
  let after: Row | undefined;
  let items = 0;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        ...(after ? { ExclusiveStartKey: after } : {}),
      }),
    );
    items += page.Items?.length ?? 0;
    onProgress?.(items);
    yield page.Items ?? [];
    after = page.LastEvaluatedKey;
  } while (after);
}

/** Writes the page at hand and those after it until the file has enough. */
async function writeDataFile({
  folder,
  prefix,
  firstPage,
  pages,
}: {
  readonly folder: string;
  readonly prefix: string;
  readonly firstPage: Row[];
  readonly pages: AsyncGenerator<Row[]>;
}): Promise<WrittenFile> {
  const dataFileS3Key = `${prefix}/${randomBytes(13).toString('hex')}.json.gz`;
  const hash = createHash('md5');
  let itemCount = 0;
  async function* lines() {
    let page: Row[] | undefined = firstPage;
    while (page) {
      itemCount += page.length;
      for (const Item of page) yield `${JSON.stringify({ Item })}\n`;
      const next: IteratorResult<Row[]> | undefined =
        itemCount < ITEMS_PER_FILE ? await pages.next() : undefined;
      page = next && !next.done ? next.value : undefined;
    }
  }
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const file = createWriteStream(join(folder, dataFileS3Key), { flags: 'wx' });
  await pipeline(Readable.from(lines()), createGzip(), hashed, file);
  const md5 = hash.digest();
  return {
    itemCount,
    md5Checksum: md5.toString('base64'),
    // As S3 makes it for an object that was uploaded in one part.
    etag: `${createHash('md5').update(md5).digest('hex')}-1`,
    dataFileS3Key,
  };
}

/** `<path>.json`, and its MD5 in `<path>.checksum`. */
async function writeChecked(path: string, text: string): Promise<void> {
  await writeFile(`${path}.checksum`, createHash('md5').update(text).digest('base64'));
  await writeFile(`${path}.json`, text);
}

/** As DynamoDB names exports: fourteen digits of milliseconds, then something random. */
function newExportId(now: Date): string {
  return `${String(now.getTime()).padStart(14, '0')}-${randomBytes(4).toString('hex')}`;
}
