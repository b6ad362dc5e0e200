import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectTableExports, type TableExports } from '../../../shared/ledger-export/exports.ts';

const TABLE_ARN = 'arn:aws:dynamodb:eu-west-1:123456789012:table/tollgate-prod-ledger';
const MIDNIGHT_MS = Date.UTC(2026, 10, 21);
const HOUR_MS = 3_600_000;

interface Call {
  readonly action: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of whichever call it is
  readonly body: any;
}

/** Exports that the played DynamoDB knows, newest first. */
const known: { arn: string; type: string; status: string; fromHour: number; toHour: number }[] = [];
const calls: Call[] = [];
let server: Server;
let exports: TableExports;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const action = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const body = JSON.parse(await text(request));
    calls.push({ action, body });
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify(answer(action, body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  exports = connectTableExports(
    { tableArn: TABLE_ARN, bucket: 'exports', prefix: 'incremental' },
    {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
  );
});
beforeEach(() => {
  known.length = 0;
  calls.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function seconds(hour: number): number {
  return (MIDNIGHT_MS + hour * HOUR_MS) / 1000;
}

function answer(action: string, body: Call['body']): object {
  if (action === 'DescribeContinuousBackups') {
    const PointInTimeRecoveryDescription = {
      PointInTimeRecoveryStatus: 'ENABLED',
      EarliestRestorableDateTime: seconds(-24),
      LatestRestorableDateTime: seconds(5),
    };
    const ContinuousBackupsStatus = 'ENABLED';
    return {
      ContinuousBackupsDescription: { ContinuousBackupsStatus, PointInTimeRecoveryDescription },
    };
  }
  if (action === 'ListExports') {
    const from = Number(body.NextToken ?? 0);
    const page = known.slice(from, from + body.MaxResults);
    const next = from + body.MaxResults < known.length ? String(from + body.MaxResults) : undefined;
    const ExportSummaries = page.map(({ arn, type, status }) => ({
      ExportArn: arn,
      ExportType: type,
      ExportStatus: status,
    }));
    return { ExportSummaries, NextToken: next };
  }
  if (action === 'DescribeExport') {
    const one = known.find(({ arn }) => arn === body.ExportArn);
    const IncrementalExportSpecification = {
      ExportFromTime: seconds(one?.fromHour ?? 0),
      ExportToTime: seconds(one?.toHour ?? 0),
    };
    return { ExportDescription: { ExportStatus: one?.status, IncrementalExportSpecification } };
  }
  return { ExportDescription: { ExportStatus: 'IN_PROGRESS' } };
}

function know(status: string, fromHour: number, toHour: number, type = 'INCREMENTAL_EXPORT'): void {
  known.push({ arn: `${TABLE_ARN}/export/${known.length}`, type, status, fromHour, toHour });
}

test('an export is asked for in full, and for the same attempt as the same', async () => {
  const window = { fromMs: MIDNIGHT_MS - 6 * HOUR_MS, toMs: MIDNIGHT_MS };
  await exports.begin(window, 0);
  await exports.begin(window, 0);
  await exports.begin(window, 1);
  const [first, again, other] = calls.map(({ body }) => body);
  expect(calls.map(({ action }) => action)).toEqual(Array(3).fill('ExportTableToPointInTime'));
  expect(first).toEqual({
    TableArn: TABLE_ARN,
    S3Bucket: 'exports',
    // The day of what is in it, not of its last moment's morrow.
    S3Prefix: 'incremental/2026-11-20',
    S3SseAlgorithm: 'AES256',
    ExportFormat: 'DYNAMODB_JSON',
    ExportType: 'INCREMENTAL_EXPORT',
    IncrementalExportSpecification: {
      ExportFromTime: seconds(-6),
      ExportToTime: seconds(0),
      ExportViewType: 'NEW_IMAGE',
    },
    ClientToken: expect.stringMatching(/^[0-9a-f]{36}$/),
  });
  expect(again.ClientToken).toBe(first.ClientToken);
  expect(other.ClientToken).not.toBe(first.ClientToken);
});

test('what recovery reaches is read from the table', async () => {
  expect(await exports.restorable()).toEqual({
    fromMs: MIDNIGHT_MS - 24 * HOUR_MS,
    toMs: MIDNIGHT_MS + 5 * HOUR_MS,
  });
});

test('exports are read page by page, back to one that recovery no longer reaches', async () => {
  know('IN_PROGRESS', 0, 0, 'FULL_EXPORT');
  know('IN_PROGRESS', 0, 1);
  know('FAILED', -1, 0);
  for (let hour = -1; hour > -60; hour -= 1) know('COMPLETED', hour - 1, hour);
  const list = await exports.list(MIDNIGHT_MS - 24 * HOUR_MS);
  expect(list.slice(0, 3).map(({ status }) => status)).toEqual(['running', 'failed', 'completed']);
  expect(list[0]).toEqual({ fromMs: MIDNIGHT_MS, toMs: MIDNIGHT_MS + HOUR_MS, status: 'running' });
  expect(calls.filter(({ action }) => action === 'ListExports')).toHaveLength(2);
  expect(list.at(-1)?.toMs).toBeLessThanOrEqual(MIDNIGHT_MS - 24 * HOUR_MS);
});
