import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../../infra/local/listen.ts';

/** A queue on the loopback that speaks the JSON protocol of SQS. */
export interface QueueServer {
  readonly queueUrl: string;
  /** Bodies of all messages that nobody has deleted, also of those handed out. */
  readonly bodies: readonly string[];
  put(body: string): void;
  /** The visibility timeout of everything handed out is over. */
  makeVisible(): void;
  /** Every call of this operation from now on is answered by 503; without one, none. */
  fail(operation?: string): void;
  close(): Promise<void>;
}

interface Waiting {
  readonly body: string;
  /** Of the last time that it was handed out. */
  receipt: string | undefined;
  visible: boolean;
}

interface Call {
  readonly MessageBody?: string;
  readonly MaxNumberOfMessages?: number;
  readonly ReceiptHandle?: string;
}

/** Starts it empty. */
export async function startQueueServer(): Promise<QueueServer> {
  let messages: Waiting[] = [];
  let failing: string | undefined;
  const put = (body: string) => void messages.push({ body, receipt: undefined, visible: true });
  const operations: Readonly<Record<string, (call: Call) => unknown>> = {
    SendMessage: ({ MessageBody = '' }) => {
      put(MessageBody);
      return { MessageId: randomUUID(), MD5OfMessageBody: md5(MessageBody) };
    },
    ReceiveMessage: ({ MaxNumberOfMessages = 1 }) => {
      const batch = messages.filter(({ visible }) => visible).slice(0, MaxNumberOfMessages);
      return batch.length === 0 ? {} : { Messages: batch.map(handOut) };
    },
    DeleteMessage: ({ ReceiptHandle }) => {
      messages = messages.filter(({ receipt }) => receipt !== ReceiptHandle);
      return {};
    },
  };
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('AmazonSQS.', '');
    // The client is the SDK's own: the shape of its calls is theirs.
    const call = (await json(request)) as Call;
    const answer = operation === failing ? undefined : operations[operation]?.(call);
    response.writeHead(answer === undefined ? 503 : 200, {
      'content-type': 'application/x-amz-json-1.0',
    });
    response.end(JSON.stringify(answer ?? { __type: 'com.amazonaws.sqs#ServiceUnavailable' }));
  });
  const port = await listen(server, 0);
  return {
    queueUrl: `http://127.0.0.1:${port}/000000000000/spool`,
    get bodies() {
      return messages.map(({ body }) => body);
    },
    put,
    makeVisible: () => {
      for (const message of messages) message.visible = true;
    },
    fail: (operation) => {
      failing = operation;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function handOut(message: Waiting) {
  message.visible = false;
  message.receipt = randomUUID();
  return {
    MessageId: randomUUID(),
    ReceiptHandle: message.receipt,
    Body: message.body,
    MD5OfBody: md5(message.body),
  };
}

/** The SDK checks the sums of what it sends and receives. */
function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
