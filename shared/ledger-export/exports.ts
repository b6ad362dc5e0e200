import { createHash } from 'node:crypto';
import {
  DescribeContinuousBackupsCommand,
  DescribeExportCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  type ExportDescription,
  ExportTableToPointInTimeCommand,
  ListExportsCommand,
} from '@aws-sdk/client-dynamodb';
import { dayOfWindow, type Window } from './windows.ts';

/** An incremental export that was asked for at some time. */
export interface KnownExport extends Window {
  readonly status: 'running' | 'completed' | 'failed';
}

/** Which table goes where. */
export interface ExportTarget {
  readonly tableArn: string;
  readonly bucket: string;
  /** Folder of the bucket; every day has a folder of its own in it. */
  readonly prefix: string;
}

/** The exports of one table, as DynamoDB itself keeps account of them. Errors are the client's. */
export interface TableExports {
  /** What point-in-time recovery reaches now. */
  restorable(): Promise<Window>;
  /** Incremental exports, newest first, back to the first that ends before that time. */
  list(sinceMs: number): Promise<KnownExport[]>;
  /** Begins an export; begun again as the same attempt within hours, it is the same export. */
  begin(window: Window, attempt: number): Promise<void>;
}

/** Connects to the exports of a table; `config` is for a client other than the environment's. */
export function connectTableExports(
  target: ExportTarget,
  config: DynamoDBClientConfig = {},
): TableExports {
  const client = new DynamoDBClient(config);
  const { tableArn } = target;
  return {
    async restorable() {
      const { ContinuousBackupsDescription: backups } = await client.send(
        new DescribeContinuousBackupsCommand({ TableName: tableArn }),
      );
      const recovery = backups?.PointInTimeRecoveryDescription;
      const from = recovery?.EarliestRestorableDateTime;
      const to = recovery?.LatestRestorableDateTime;
      if (!from || !to) throw new Error(`${tableArn} has no point-in-time recovery`);
      return { fromMs: from.getTime(), toMs: to.getTime() };
    },
    list: (sinceMs) => listExports(client, tableArn, sinceMs),
    async begin(window, attempt) {
      await client.send(new ExportTableToPointInTimeCommand(exportInput(target, window, attempt)));
    },
  };
}

function exportInput({ tableArn, bucket, prefix }: ExportTarget, window: Window, attempt: number) {
  const name = `${tableArn} ${window.fromMs} ${window.toMs} ${attempt}`;
  return {
    TableArn: tableArn,
    S3Bucket: bucket,
    S3Prefix: `${prefix}/${dayOfWindow(window)}`,
    S3SseAlgorithm: 'AES256' as const,
    ExportFormat: 'DYNAMODB_JSON' as const,
    ExportType: 'INCREMENTAL_EXPORT' as const,
    IncrementalExportSpecification: {
      ExportFromTime: new Date(window.fromMs),
      ExportToTime: new Date(window.toMs),
      // Rows never change: there is no old image.
      ExportViewType: 'NEW_IMAGE' as const,
    },
    ClientToken: createHash('sha256').update(name).digest('hex').slice(0, 36),
  };
}

/** Exports are listed newest first, each without its window, which has to be asked for. */
async function listExports(
  client: DynamoDBClient,
  TableArn: string,
  sinceMs: number,
): Promise<KnownExport[]> {
  const found: KnownExport[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(
      new ListExportsCommand({ TableArn, MaxResults: 25, ...(NextToken ? { NextToken } : {}) }),
    );
    const incremental = (page.ExportSummaries ?? []).filter(
      ({ ExportType }) => ExportType === 'INCREMENTAL_EXPORT',
    );
    found.push(
      ...(await Promise.all(incremental.map(({ ExportArn }) => describe(client, ExportArn)))),
    );
    NextToken = page.NextToken;
  } while (NextToken && !found.some(({ toMs, status }) => status !== 'failed' && toMs <= sinceMs));
  return found;
}

async function describe(client: DynamoDBClient, arn: string | undefined): Promise<KnownExport> {
  const { ExportDescription: description } = await client.send(
    new DescribeExportCommand({ ExportArn: arn }),
  );
  const { ExportFromTime: from, ExportToTime: to } =
    description?.IncrementalExportSpecification ?? {};
  if (!description || !from || !to) throw new Error(`${arn} has no window`);
  return { fromMs: from.getTime(), toMs: to.getTime(), status: statusOf(description) };
}

function statusOf({ ExportStatus }: ExportDescription): KnownExport['status'] {
  if (ExportStatus === 'FAILED') return 'failed';
  return ExportStatus === 'COMPLETED' ? 'completed' : 'running';
}
