import { expect, test } from 'vitest';
import { readContainerSettings } from '../../infra/container/settings.ts';
import { SettingError } from '../../infra/local/settings.ts';

const COMPLETE = {
  GATEWAY_TABLE: 'gateway',
  LEDGER_TABLE: 'ledger',
  SPOOL_QUEUE_URL: 'https://queue',
  IDENTITY_KEY_SECRET_ARN: 'arn',
  PROVIDER_CREDENTIALS_SECRET_ARN: 'arn',
};

test('listens on every address, and stops before Fargate would kill it', () => {
  expect(readContainerSettings(COMPLETE)).toEqual({
    host: '0.0.0.0',
    port: 8080,
    graceMs: 100_000,
  });
  const chosen = { ...COMPLETE, HOST: '127.0.0.1', PORT: '80', STOP_GRACE_MS: '0' };
  expect(readContainerSettings(chosen)).toEqual({ host: '127.0.0.1', port: 80, graceMs: 0 });
});

test.each(Object.keys(COMPLETE))('without %s it says so', (name) => {
  for (const value of [undefined, '']) {
    const read = () => readContainerSettings({ ...COMPLETE, [name]: value });
    expect(read).toThrow(SettingError);
    expect(read).toThrow(name);
  }
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['STOP_GRACE_MS', 'short'],
  ['STOP_GRACE_MS', '-1'],
])('%s = %s is refused by name', (name, value) => {
  expect(() => readContainerSettings({ ...COMPLETE, [name]: value })).toThrow(name);
});

test('an address without its key is a forgotten credential, unless credentials are in a secret', () => {
  const azure = { UPSTREAM_AZURE_URL: 'https://azure' };
  expect(() => readContainerSettings({ ...COMPLETE, ...azure })).not.toThrow();
  const plain = {
    ...COMPLETE,
    PROVIDER_CREDENTIALS_SECRET_ARN: undefined,
    UPSTREAM_OPENAI_KEY: 'k',
  };
  expect(() => readContainerSettings(plain)).not.toThrow();
  expect(() => readContainerSettings({ ...plain, ...azure })).toThrow('UPSTREAM_AZURE_KEY');
});
