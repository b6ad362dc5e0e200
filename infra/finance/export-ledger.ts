import { resolve } from 'node:path';
import { readArguments } from '../operator/arguments.ts';
import { openTables } from '../operator/run-admin.ts';
import type { FinanceCommand } from './command.ts';
import { writeExport } from './write-export.ts';

/** `npm run ledger:export`: the ledger as a full export of DynamoDB, in a folder. */
export const exportLedger: FinanceCommand = {
  help: `Usage: npm run --silent ledger:export -- --out DIR [--env NAME [--region REGION]]

Writes the whole ledger below DIR in the format of a full DynamoDB export to S3:
AWSDynamoDB/<export ID>/ with manifests and gzip files of JSON lines. Each run adds an
export of its own; nothing that is there is changed. Prints one JSON document.

Reads the local database (DYNAMODB_ENDPOINT, or DYNAMODB_PORT on this machine); with --env
the ledger of that environment on AWS, by a scan that costs reads: the exports in the
environment's bucket cost none.`,
  async run(words, { environment, progress }) {
    const args = readArguments(words, { positionals: [], options: ['out'] });
    const folder = resolve(args.required('out'));
    const { client, tables } = await openTables(args, environment);
    try {
      const written = await writeExport({
        client,
        table: tables.ledger,
        folder,
        onProgress: (items) => progress(`${items} ledger entries`),
      });
      return JSON.stringify({ folder, ...written }, null, 2);
    } finally {
      client.destroy();
    }
  },
};
