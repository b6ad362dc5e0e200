import { EventSourceParserStream } from 'eventsource-parser/stream';
import { element, readData, showFacts } from './dom.ts';

/**
 * What is read of an answer: a chat completion or chunk, a response or one of its events. All of it
 * is optional, so that what the gateway writes is always one.
 */
interface Answer {
  readonly type?: string;
  readonly delta?: string;
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null };
    readonly message?: { readonly content?: string | null };
  }[];
  readonly output?: readonly { readonly content?: readonly { readonly text?: string }[] }[];
  readonly usage?: Usage;
  readonly response?: { readonly usage?: Usage };
  readonly error?: { readonly message: string };
}

interface Usage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

type LedgerEntry = Readonly<Record<string, unknown>> & { readonly amountUsd?: string };

const form = element('request', HTMLFormElement);
const route = element('route', HTMLSelectElement);
const model = element('model', HTMLInputElement);
const prompt = element('prompt', HTMLTextAreaElement);
const cap = element('cap', HTMLInputElement);
const stream = element('stream', HTMLInputElement);
const send = element('send', HTMLButtonElement);
const stop = element('stop', HTMLButtonElement);
const answer = element('answer', HTMLOutputElement);
const facts = element('facts', HTMLElement);
const entry = element('entry', HTMLElement);
const entryNote = element('entry-note', HTMLElement);

const SETTLED_WITHIN_TRIES = 20;
const TRY_EVERY_MS = 250;

let running: AbortController | undefined;

/** Makes the form send: by its button, or by Ctrl and Enter from within the prompt. */
export function enableTrying(apiKey: string): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (running === undefined) void run(apiKey);
  });
  prompt.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  stop.addEventListener('click', () => running?.abort());
}

async function run(apiKey: string): Promise<void> {
  running = new AbortController();
  begin();
  const started = performance.now();
  const shown: Record<string, string | number | undefined> = {};
  const note = (more: Record<string, string | number | undefined>) =>
    showFacts(facts, Object.assign(shown, more));
  try {
    const response = await request(apiKey, running.signal);
    note({ Status: response.status, 'First byte': since(started) });
    const requestId = response.headers.get('x-request-id') ?? '';
    const usage = response.ok ? await show(response) : await showError(response);
    note({ ...tokens(usage), Total: since(started) });
    if (response.ok) note({ Cost: await showEntry(requestId) });
  } catch (error) {
    const stopped = running.signal.aborted;
    fail(stopped ? 'Stopped. What the provider produced is charged all the same.' : String(error));
    note({ Total: since(started) });
  } finally {
    end();
  }
}

function begin(): void {
  send.disabled = true;
  stop.disabled = false;
  answer.className = '';
  answer.textContent = '';
  facts.replaceChildren();
  noteEntry('Waiting for the settlement.');
}

function end(): void {
  running = undefined;
  send.disabled = false;
  stop.disabled = true;
}

function request(apiKey: string, signal: AbortSignal): Promise<Response> {
  const most = cap.value === '' ? undefined : cap.valueAsNumber;
  const body =
    route.value === 'responses'
      ? { input: prompt.value, max_output_tokens: most }
      : {
          messages: [{ role: 'user', content: prompt.value }],
          max_completion_tokens: most,
          ...(stream.checked ? { stream_options: { include_usage: true } } : {}),
        };
  return fetch(`/v1/${route.value}`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: model.value, stream: stream.checked, ...body }),
  });
}

/** Shows an answer as it arrives; returns the usage that it ends with. */
async function show(response: Response): Promise<Usage | undefined> {
  if (response.body === null || !stream.checked) {
    const whole = (await response.json()) as Answer;
    answer.textContent = wholeText(whole);
    return whole.usage;
  }
  let usage: Usage | undefined;
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (let next = await events.read(); !next.done; next = await events.read()) {
    if (next.value.data === '[DONE]') break;
    // The gateway writes nothing but JSON objects into its frames, and its errors.
    const event = JSON.parse(next.value.data) as Answer;
    answer.append(deltaText(event));
    if (event.error) fail(event.error.message);
    usage = event.usage ?? event.response?.usage ?? usage;
  }
  return usage;
}

function deltaText({ type, delta, choices }: Answer): string {
  if (type === 'response.output_text.delta') return delta ?? '';
  return choices?.[0]?.delta?.content ?? '';
}

function wholeText({ choices, output }: Answer): string {
  const items = output?.flatMap(({ content }) => content ?? []) ?? [];
  return choices?.[0]?.message?.content ?? items.map(({ text }) => text ?? '').join('');
}

async function showError(response: Response): Promise<undefined> {
  const { error } = (await response.json()) as Answer;
  fail(error?.message ?? response.statusText);
  noteEntry('A request that is refused makes no entry.');
  return undefined;
}

function fail(message: string): void {
  answer.className = 'bad';
  answer.append(message);
}

/** The settlement follows the answer: asks until it is there. Returns the charge in US dollars. */
async function showEntry(requestId: string): Promise<string | undefined> {
  for (let tries = 0; tries < SETTLED_WITHIN_TRIES; tries += 1) {
    const found = await readData<LedgerEntry>(`entry/${requestId}`);
    if (found !== undefined) {
      noteEntry('');
      showFacts(entry, entryFacts(found));
      return found.amountUsd === undefined ? undefined : `$${found.amountUsd}`;
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
  noteEntry('Not settled yet: the sweep brings the entry.');
  return undefined;
}

function noteEntry(note: string): void {
  entryNote.textContent = note;
  entry.replaceChildren();
}

function entryFacts(found: LedgerEntry): Record<string, string> {
  const present = Object.entries(found).filter(([, value]) => value !== null);
  return Object.fromEntries(
    present.map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
}

function tokens(usage: Usage | undefined): Record<string, number | undefined> {
  return {
    'Input tokens': usage?.prompt_tokens ?? usage?.input_tokens,
    'Output tokens': usage?.completion_tokens ?? usage?.output_tokens,
  };
}

function since(started: number): string {
  return `${Math.round(performance.now() - started)} ms`;
}
