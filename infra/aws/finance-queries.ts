import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import {
  athenaQuery,
  EXPORT_CHECK,
  FULL_PARTITION,
  FULL_TABLE,
  INCREMENTAL_PARTITION,
  INCREMENTAL_TABLE,
  rowType,
} from '../finance/athena.ts';
import { EXPORT_ROOT } from '../finance/exports-folder.ts';
import { QUERY_NAMES, readQuery } from '../finance/queries.ts';
import type { Data } from './data.ts';
import { FULL_PREFIX, INCREMENTAL_PREFIX, RESULTS_PREFIX } from './exports-bucket.ts';
import type { Deployment } from './function.ts';

/** A query that would read more than this is stopped: about half a dollar. */
const MOST_BYTES_READ = 100 * 1024 ** 3;
/** No export is older. */
const FIRST_EXPORT_DAY = '2026-11-01';

interface Parts {
  readonly stack: Stack;
  readonly deployment: Deployment;
  readonly data: Data;
}

/** The Glue database over the exports, Athena's workgroup, and the saved queries of finance. */
export function createFinanceQueries(parts: Parts): void {
  const { stack, deployment } = parts;
  const name = `tollgate_${deployment.settings.name}_finance`;
  const database = new CfnDatabase(stack, 'Database', {
    catalogId: stack.account,
    databaseInput: { name, description: 'Exports of the Tollgate ledger' },
  });
  for (const table of [incrementalTable(parts, name), fullTable(parts, name)]) {
    table.addResourceDependency(database);
  }
  const workGroup = createWorkGroup(parts);
  const queries = [
    ...QUERY_NAMES.map(readQuery).map((query) => ({ query, text: athenaQuery(query) })),
    { query: EXPORT_CHECK, text: EXPORT_CHECK.sql },
  ];
  for (const { query, text } of queries) {
    const saved = new CfnNamedQuery(stack, `query-${query.name}`, {
      name: query.title,
      description: query.description,
      database: name,
      queryString: text,
      workGroup: workGroup.name,
    });
    saved.addResourceDependency(workGroup);
    saved.addResourceDependency(database);
  }
  new CfnOutput(stack, 'athena-workgroup', {
    value: workGroup.name,
    description: 'Athena workgroup with the saved queries of finance',
  });
}

function createWorkGroup({ stack, deployment, data }: Parts): CfnWorkGroup {
  return new CfnWorkGroup(stack, 'WorkGroup', {
    name: `tollgate-${deployment.settings.name}-finance`,
    description: 'Queries over the exports of the ledger',
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      enforceWorkGroupConfiguration: true,
      publishCloudWatchMetricsEnabled: true,
      bytesScannedCutoffPerQuery: MOST_BYTES_READ,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      resultConfiguration: {
        outputLocation: data.exports.s3UrlForObject(`${RESULTS_PREFIX}/`),
        encryptionConfiguration: { encryptionOption: 'SSE_S3' },
      },
    },
  });
}

/** All files of a day's incremental exports lie in one folder. */
function incrementalTable({ stack, data }: Parts, database: string): CfnTable {
  const location = data.exports.s3UrlForObject(INCREMENTAL_PREFIX);
  return exportTable(stack, {
    database,
    name: INCREMENTAL_TABLE,
    column: 'newimage',
    location: `${location}/`,
    partition: INCREMENTAL_PARTITION,
    projection: {
      [`projection.${INCREMENTAL_PARTITION}.type`]: 'date',
      [`projection.${INCREMENTAL_PARTITION}.format`]: 'yyyy-MM-dd',
      [`projection.${INCREMENTAL_PARTITION}.range`]: `${FIRST_EXPORT_DAY},NOW`,
      'storage.location.template': `${location}/\${${INCREMENTAL_PARTITION}}/${EXPORT_ROOT}/data/`,
    },
  });
}

/** One full export at a time, named by its ID. */
function fullTable({ stack, data }: Parts, database: string): CfnTable {
  const location = data.exports.s3UrlForObject(`${FULL_PREFIX}/${EXPORT_ROOT}`);
  return exportTable(stack, {
    database,
    name: FULL_TABLE,
    column: 'item',
    location: `${location}/`,
    partition: FULL_PARTITION,
    projection: {
      [`projection.${FULL_PARTITION}.type`]: 'injected',
      'storage.location.template': `${location}/\${${FULL_PARTITION}}/data/`,
    },
  });
}

interface ExportTableShape {
  readonly database: string;
  readonly name: string;
  /** The key of DynamoDB's JSON that holds a row. */
  readonly column: string;
  readonly location: string;
  readonly partition: string;
  readonly projection: Readonly<Record<string, string>>;
}

function exportTable(stack: Stack, shape: ExportTableShape): CfnTable {
  return new CfnTable(stack, `table-${shape.name}`, {
    catalogId: stack.account,
    databaseName: shape.database,
    tableInput: {
      name: shape.name,
      tableType: 'EXTERNAL_TABLE',
      partitionKeys: [{ name: shape.partition, type: 'string' }],
      parameters: { EXTERNAL: 'TRUE', 'projection.enabled': 'true', ...shape.projection },
      storageDescriptor: {
        columns: [{ name: shape.column, type: rowType() }],
        location: shape.location,
        inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
        outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
        serdeInfo: {
          serializationLibrary: 'org.openx.data.jsonserde.JsonSerDe',
          // A row that cannot be read stops the query: finance must not miss one in silence.
          parameters: { 'case.insensitive': 'TRUE', 'ignore.malformed.json': 'FALSE' },
        },
      },
    },
  });
}
