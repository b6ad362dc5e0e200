import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningGateway, startGateway } from '../support/gateway.ts';

const FOLDER = join(import.meta.dirname, '../../examples');
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));

/** What each example must have printed: something that only a whole run prints. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'fetch.ts': /You wrote: “Say hello\.”.*\n\d+ tokens/,
  'langchain.ts': /Say hello\..*Say hello once more\..*\{ name: 'example', country: 'example' \}/s,
  'openai-agents.ts': /The tool answered: Sunny in example, 24 degrees\./,
  'openai-chat.ts': /What does a prepaid gateway do\?.*\n\d+ tokens/,
  'openai-responses.ts': /Name a colour\..*And another one\./s,
  'openai-streaming.ts': /answer of claude-sonnet-5.*answer of gpt-5\.6-sol.*\n\d+ tokens/s,
  'openai-structured-output.ts':
    /customer: 'example', lines: \[ \{ text: 'example', amount: 1 \} \]/,
  'openai-tools.ts':
    /current_weather\(\{"city":"example"\}\)\nThe tool answered: Sunny, 24 degrees\./,
  'vercel-ai-sdk.ts': /Say hello once more\..*2 steps: The tool answered: Sunny in example/s,
};

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

test.each(NAMES)('%s runs against the simulated providers', async (name) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(FOLDER, name)], {
    cwd: FOLDER,
    timeout: 60_000,
    env: {
      PATH: process.env.PATH ?? '',
      OPENAI_BASE_URL: `${gateway.url}/v1`,
      OPENAI_API_KEY: gateway.apiKey,
    },
  });
  expect(stdout).toMatch(PRINTS[name] ?? /^$/);
  expect(stderr).toBe('');
});
