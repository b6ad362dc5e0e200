import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/** A folder of exports that cannot be used as it is: one line for people, exit 1. */
export class BrokenExport extends Error {}

const SUMMARY_FILE = 'manifest-summary.json';
/** Every key in the bucket has it: `<prefix>/AWSDynamoDB/...`. */
export const EXPORT_ROOT = 'AWSDynamoDB';

const SUMMARY = z.object({
  exportArn: z.string(),
  tableArn: z.string(),
  exportType: z.enum(['FULL_EXPORT', 'INCREMENTAL_EXPORT']).default('FULL_EXPORT'),
  exportTime: z.iso.datetime().optional(),
  exportFromTime: z.iso.datetime().optional(),
  exportToTime: z.iso.datetime().optional(),
  manifestFilesS3Key: z.string(),
  itemCount: z.number(),
  outputFormat: z.literal('DYNAMODB_JSON'),
});

const DATA_FILE = z.object({
  itemCount: z.number(),
  md5Checksum: z.string(),
  dataFileS3Key: z.string(),
});

/** One finished export of DynamoDB, its files checked. */
export interface Export {
  readonly arn: string;
  readonly tableArn: string;
  readonly incremental: boolean;
  /** Epoch milliseconds: an incremental export has what was written from (inclusive) ... */
  readonly fromMs: number;
  /** ... to (exclusive); a full one has everything before. */
  readonly toMs: number;
  readonly itemCount: number;
  readonly files: readonly DataFile[];
}

/** A gzip file of JSON lines. */
interface DataFile {
  readonly path: string;
  readonly itemCount: number;
  /** Base64 of the MD5 of the file as it is. */
  readonly md5: string;
}

/** The newest full export, and the incremental ones that follow it without a gap. */
export interface ExportChain {
  readonly full: Export;
  readonly incremental: readonly Export[];
  /** Epoch milliseconds: every row written before is in it. */
  readonly toMs: number;
}

/**
 * Finds the exports anywhere under a folder, as `ledger:export` writes them or as copied from the
 * bucket, and checks every file that will be read. Throws BrokenExport.
 */
export async function openExports(folder: string): Promise<ExportChain> {
  const manifests = await findManifests(folder);
  const found = await Promise.all(manifests.map(readSummary));
  const [newest] = found.filter(({ incremental }) => !incremental).sort((a, b) => b.toMs - a.toMs);
  if (!newest) throw new BrokenExport(`${folder} has no finished full export (${SUMMARY_FILE})`);
  const other = found.find(({ tableArn }) => tableArn !== newest.tableArn);
  if (other)
    throw new BrokenExport(
      `${folder} has exports of ${newest.tableArn} and of ${other.tableArn}: keep one`,
    );
  const following = found
    .filter(({ incremental, toMs }) => incremental && toMs > newest.toMs)
    .sort((a, b) => a.fromMs - b.fromMs);
  let toMs = newest.toMs;
  for (const { fromMs, toMs: endMs } of following) {
    if (fromMs > toMs) {
      throw new BrokenExport(`no export has what was written from ${iso(toMs)} to ${iso(fromMs)}`);
    }
    toMs = Math.max(toMs, endMs);
  }
  for (const one of [newest, ...following]) await checkFiles(one);
  return { full: newest, incremental: following, toMs };
}

async function findManifests(folder: string): Promise<string[]> {
  try {
    const files = await readdir(folder, { recursive: true });
    return files.filter((file) => file.endsWith(SUMMARY_FILE)).map((file) => join(folder, file));
  } catch {
    throw new BrokenExport(`${folder} is no folder that can be read`);
  }
}

async function readSummary(path: string): Promise<Export> {
  const summary = parseManifest(SUMMARY, await readText(path), path);
  const { exportTime, exportFromTime, exportToTime, itemCount } = summary;
  const incremental = summary.exportType === 'INCREMENTAL_EXPORT';
  const to = incremental ? exportToTime : exportTime;
  const from = incremental ? exportFromTime : exportTime;
  if (to === undefined || from === undefined) {
    throw new BrokenExport(`${path} does not say which time its export covers`);
  }
  const root = dirname(dirname(path));
  const files = await readFilesManifest(root, summary.manifestFilesS3Key);
  const counted = files.reduce((sum, file) => sum + file.itemCount, 0);
  if (counted !== itemCount) {
    throw new BrokenExport(`${path} counts ${itemCount} items, its files have ${counted}`);
  }
  const { exportArn: arn, tableArn } = summary;
  return {
    arn,
    tableArn,
    incremental,
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
    itemCount,
    files,
  };
}

/** One JSON document a line, a data file each. */
async function readFilesManifest(root: string, key: string): Promise<DataFile[]> {
  const path = pathOfKey(root, key);
  const lines = (await readText(path)).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const file = parseManifest(DATA_FILE, line, path);
    return {
      path: pathOfKey(root, file.dataFileS3Key),
      itemCount: file.itemCount,
      md5: file.md5Checksum,
    };
  });
}

/** Where a key of the bucket lies in the folder: what stands before `AWSDynamoDB/` may differ. */
function pathOfKey(root: string, key: string): string {
  const parts = key.split('/');
  const below = parts.slice(parts.lastIndexOf(EXPORT_ROOT) + 1);
  if (!parts.includes(EXPORT_ROOT) || below.some((part) => part === '..' || part === '')) {
    throw new BrokenExport(`"${key}" is no key of an export`);
  }
  return join(root, ...below);
}

function parseManifest<Shape extends z.ZodType>(
  shape: Shape,
  text: string,
  path: string,
): z.output<Shape> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new BrokenExport(`${path} is no JSON`);
  }
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BrokenExport(
    `${path} is no manifest of an export: ${issue?.path.join('.')} ${issue?.message}`,
  );
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new BrokenExport(`${path} is missing`);
  }
}

async function checkFiles({ files }: Export): Promise<void> {
  for (const { path, md5 } of files) {
    const hash = createHash('md5');
    try {
      await pipeline(createReadStream(path), hash);
    } catch {
      throw new BrokenExport(`${path} is missing`);
    }
    if (hash.digest('base64') !== md5) {
      throw new BrokenExport(`${path} is not as it was exported: its MD5 differs`);
    }
  }
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
