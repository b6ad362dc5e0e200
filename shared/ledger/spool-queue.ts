import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import {
  type ChargeSpool,
  readSpooledCharge,
  type SpooledCharge,
  writeSpooledCharge,
} from './spool.ts';

/** Time that one call to the queue may take, with the SDK's repetitions. */
const CALL_MS = 8_000;
/** A sweep has other work too; the next one goes on. */
const DRAIN_MS = 60_000;
/** The most that SQS hands over at once. */
const BATCH = 10;
/** Long polling, as short as it goes: without it an answer may be empty while messages wait. */
const WAIT_SECONDS = 1;

export interface QueueSpoolOptions {
  readonly queueUrl: string;
  /** Default: a client with the credentials and the region of the environment. */
  readonly client?: SQSClient;
  /** No further batch is received after this time, in milliseconds; default one minute. */
  readonly drainMs?: number;
}

type Handle = (charge: SpooledCharge) => Promise<void>;

/**
 * A spool in a standard SQS queue, whose messages may come twice and in any order: handling a charge
 * twice charges once. `add` throws what the SDK throws. `drain` counts as waiting what it was handed
 * and could not finish, which comes again after the queue's visibility timeout; a queue that does
 * not answer counts as one, so that a sweep still does the rest of its work.
 */
export function createQueueSpool(options: QueueSpoolOptions): ChargeSpool {
  const { queueUrl, client = clientOf(queueUrl), drainMs = DRAIN_MS } = options;
  const queue = { client, queueUrl };
  return {
    async add(charge) {
      const input = { QueueUrl: queueUrl, MessageBody: writeSpooledCharge(charge) };
      await client.send(new SendMessageCommand(input), inTime());
    },
    async drain(handle) {
      const untilMs = performance.now() + drainMs;
      let left = 0;
      do {
        const batch = await receive(queue);
        if (batch === 'unanswered') return left + 1;
        if (batch.length === 0) return left;
        const done = await Promise.all(batch.map((message) => finish(queue, message, handle)));
        const failed = done.filter((finished) => !finished).length;
        left += failed;
        // A database that takes none of these will not take the next ones.
        if (failed === batch.length) return left;
      } while (performance.now() < untilMs);
      return left;
    },
  };
}

interface Queue {
  readonly client: SQSClient;
  readonly queueUrl: string;
}

function clientOf(queueUrl: string): SQSClient {
  return new SQSClient({ endpoint: new URL(queueUrl).origin });
}

async function receive({ client, queueUrl }: Queue): Promise<readonly Message[] | 'unanswered'> {
  const input = { QueueUrl: queueUrl, MaxNumberOfMessages: BATCH, WaitTimeSeconds: WAIT_SECONDS };
  try {
    return (await client.send(new ReceiveMessageCommand(input), inTime())).Messages ?? [];
  } catch {
    return 'unanswered';
  }
}

/** Deletes a message only after its charge was taken. */
async function finish(
  { client, queueUrl }: Queue,
  { Body = '', ReceiptHandle }: Message,
  handle: Handle,
): Promise<boolean> {
  try {
    await handle(readSpooledCharge(Body));
    await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }), inTime());
    return true;
  } catch {
    return false; // comes again; the count returned tells of it
  }
}

function inTime() {
  return { abortSignal: AbortSignal.timeout(CALL_MS) };
}
