import { styleText } from 'node:util';
import yoctoSpinner from 'yocto-spinner';
import { isJsonObject, parseJson } from '../../shared/api/json.ts';
import type { Answered } from './function-url-server.ts';
import { LOGGED_PATHS, type LogLine, readableLine } from './readable-line.ts';

/** What `npm start` says when it is ready. */
export interface Greeting {
  readonly url: string;
  readonly databaseEndpoint: string;
  readonly dataFolder: string;
  readonly simulated: readonly string[];
  readonly apiKey: string;
  /** Whether the console is served at the address. */
  readonly hasConsole: boolean;
}

/** Where `npm start` writes: for people, or for machines. */
export interface Terminal {
  /** Something is under way; the returned function says that it is done. */
  readonly working: (what: string) => () => void;
  readonly ready: (greeting: Greeting) => void;
  /** A line that a function has logged. */
  readonly logged: (line: string) => void;
  /** A function has answered; those of the POST routes log it by themselves, with more to tell. */
  readonly answered: (answered: Answered) => void;
}

type Write = (line: string) => void;

/** One JSON document a line. */
export function createJsonTerminal(write: Write): Terminal {
  return {
    working: () => () => undefined,
    ready: (greeting) => write(JSON.stringify({ level: 'info', event: 'ready', ...greeting })),
    logged: write,
    answered: (answered) => {
      if (isLoggedByFunction(answered)) return;
      write(JSON.stringify({ level: 'info', event: 'document_answered', ...answered }));
    },
  };
}

/** Lines for people, in colours where the terminal has them and `NO_COLOR` does not forbid them. */
export function createReadableTerminal(write: Write): Terminal {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    styleText(format, text, { stream: process.stdout });
  return {
    working: (what) => {
      // Without a terminal it would be a line of its own; and Ctrl-C is ours to handle.
      if (!process.stderr.isTTY) return () => undefined;
      const spinner = yoctoSpinner({ text: what, handleSignals: false }).start();
      return () => {
        spinner.stop();
      };
    },
    ready: (greeting) => write(greetingText(greeting)),
    logged: (line) => {
      const readable = readableLine(parseLog(line), paint);
      if (readable !== undefined) write(readable);
    },
    answered: (answered) => {
      if (isLoggedByFunction(answered)) return;
      const readable = readableLine({ event: 'document_answered', ...answered }, paint);
      if (readable !== undefined) write(readable);
    },
  };
}

/** Only a preflight is answered without a word in the log. */
function isLoggedByFunction({ method, path }: Answered): boolean {
  return Object.values(LOGGED_PATHS).includes(path) && method !== 'OPTIONS';
}

/** What is no JSON object is shown as it is. */
function parseLog(line: string): LogLine {
  const value = parseJson(line);
  return isJsonObject(value) ? value : { event: 'text', text: line };
}

function greetingText(greeting: Greeting): string {
  const { url, databaseEndpoint, dataFolder, simulated, apiKey, hasConsole } = greeting;
  return `Tollgate is ready at ${url}
  console: ${hasConsole ? `${url}/` : 'only on this machine: set HOST to 127.0.0.1'}
  database: ${databaseEndpoint}
  data folder: ${dataFolder}
  simulated providers: ${simulated.join(', ') || 'none'}

Point any OpenAI client at it:

export OPENAI_BASE_URL=${url}/v1
export OPENAI_API_KEY=${apiKey}

Or try it:

curl "$OPENAI_BASE_URL/chat/completions" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"model": "claude-sonnet-5", "stream": true, "messages": [{"role": "user", "content": "Say hello."}]}'
`;
}
