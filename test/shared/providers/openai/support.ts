import { existsSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { JsonObject } from '../../../../shared/api/json.ts';
import type { Deployment } from '../../../../shared/catalog/types.ts';
import type { AnswerContext, StreamTranslator } from '../../../../shared/providers/contract.ts';
import { readEvents } from '../../../../shared/upstream/events.ts';
import { catalogDeployment } from '../../../support/deployments.ts';

export function deployment(changes: Partial<Deployment> = {}): Deployment {
  return catalogDeployment('openai-gpt-5.6-sol', changes);
}

export const AZURE = catalogDeployment('azure-gpt-5.6-sol');

export function context(changes: Partial<AnswerContext> = {}): AnswerContext {
  let next = 0;
  return {
    id: '01900000-0000-7000-8000-000000000001',
    createdAt: 1_790_000_000,
    nextId: () => `id${next++}`,
    deployment: deployment(),
    plan: { callCaps: {}, feedsInput: false },
    now: () => 1_790_000_009,
    ...changes,
  };
}

/** Plays events into a translator, to the end; an object is sent as its JSON. */
export function play(
  translator: StreamTranslator,
  events: readonly (object | string)[],
): JsonObject[] {
  return playTexts(translator, events).map((frame) => JSON.parse(frame));
}

export function playTexts(
  translator: StreamTranslator,
  events: readonly (object | string)[],
): string[] {
  const texts = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  return [...texts.flatMap((text) => translator.event(text)), ...translator.end()];
}

/** Plays the bytes of an event stream, cut into the pieces given, as the gateway reads them. */
export async function playBytes(
  translator: StreamTranslator,
  pieces: readonly Uint8Array[],
): Promise<string[]> {
  const frames: string[] = [];
  for await (const batch of readEvents(Readable.from(pieces))) {
    for (const data of batch) if (data !== '[DONE]') frames.push(...translator.event(data));
  }
  return [...frames, ...translator.end()];
}

const FIXTURES = new URL('../../../fixtures/openai/', import.meta.url);
const RECORDINGS = new URL('../../../../../shared/recordings/openai/', import.meta.url);

/** A stream in the project's own fixtures: one event's JSON a line. */
export function fixtureEvents(name: string): string[] {
  return lines(readFileSync(new URL(name, FIXTURES), 'utf8'));
}

/** Recorded streams of the real provider, where they lie beside the project. */
export function recordedEvents(name: string): string[] | undefined {
  const file = new URL(name, RECORDINGS);
  return existsSync(file) ? lines(readFileSync(file, 'utf8')) : undefined;
}

export function recordedBody(name: string): JsonObject | undefined {
  const file = new URL(name, RECORDINGS);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

export interface SeenChoice {
  readonly delta: JsonObject;
  readonly finish_reason: string | null;
}

/** The choices of a chunk that a stream gave. */
export function choicesOf(frame: JsonObject): SeenChoice[] {
  // What the translator wrote is judged by the expectations, not by the compiler.
  return frame.choices as unknown as SeenChoice[];
}
