import { existsSync, readFileSync } from 'node:fs';
import type { RecordedApi } from './recording-facts.ts';
import { FIXTURES, RECORDINGS, type Recording, recordingsIn } from './recordings.ts';

/** A recorded answer of a provider, ready to be played. */
export interface RecordedCase extends Recording {
  readonly api: RecordedApi;
  /** False where the file lies beside the project and is absent. */
  readonly present: boolean;
}

/** Recordings by folder: named here, so that absent ones are counted as skipped. */
const RECORDED: Readonly<Record<'anthropic' | 'openai', readonly string[]>> = {
  anthropic: [
    'clear-thinking.1',
    'json-output-format.1',
    'mcp.1',
    'message-delta-input-tokens',
    'refusal',
    'text',
    'tool-no-args',
    'web-search-tool.1',
  ],
  openai: [
    'chat-text',
    'responses-custom-tool.1',
    'responses-error.1',
    'responses-mcp-tool.1',
    'responses-reasoning-encrypted-content.1',
    'responses-web-search-tool.1',
  ],
};

/** Every complete answer, recorded or the project's own; the latter always are there. */
export function recordedCases(): RecordedCase[] {
  return (['anthropic', 'openai'] as const).flatMap((folder) => [
    ...RECORDED[folder].filter(isComplete).flatMap((name) => turnsOf(recorded(folder, name))),
    ...recordingsIn(`${FIXTURES}${folder}`)
      .filter(({ name }) => isComplete(name))
      .map((fixture) => ({
        ...fixture,
        name: `own ${fixture.name}`,
        api: apiOf(folder, fixture.name),
        present: true,
      })),
  ]);
}

function isComplete(name: string): boolean {
  return !name.includes('error');
}

/** One recording by its name, whatever became of the answer in it. */
export function recorded(folder: 'anthropic' | 'openai', name: string): RecordedCase {
  const path = `${RECORDINGS}${folder}/${name}`;
  const api = apiOf(folder, name);
  const present = existsSync(`${path}.chunks.txt`);
  if (!present) return { name, api, present, events: [], body: undefined };
  const events = readFileSync(`${path}.chunks.txt`, 'utf8').split('\n').filter(Boolean);
  const whole = `${path}.json`;
  const body = existsSync(whole) ? readFileSync(whole, 'utf8') : undefined;
  return { name, api, present, events, body };
}

/** Some files hold all turns of a conversation, one stream after the other; the body is the last's. */
function turnsOf(recording: RecordedCase): RecordedCase[] {
  const isStart = (event: string) => event.startsWith('{"type":"response.created"');
  const starts = recording.events.flatMap((event, index) => (isStart(event) ? [index] : []));
  if (starts.length < 2) return [recording];
  return starts.map((start, turn) => ({
    ...recording,
    name: `${recording.name}, turn ${turn + 1}`,
    events: recording.events.slice(start, starts[turn + 1]),
    body: turn === starts.length - 1 ? recording.body : undefined,
  }));
}

function apiOf(folder: 'anthropic' | 'openai', name: string): RecordedApi {
  if (folder === 'anthropic') return 'messages';
  return name.startsWith('chat-') ? 'chat' : 'responses';
}
