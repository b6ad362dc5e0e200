import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readError, readErrorEvent } from '../../../../shared/providers/anthropic/error.ts';

const errorOf = (message: string, type = 'invalid_request_error') => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
});

describe('a refusal by status', () => {
  it.each([400, 404, 413, 422])(
    '%i that blames the request is relayed in its own words',
    (status) => {
      const message = 'messages.0.content: text content blocks must be non-empty';
      expect(readError(status, errorOf(message))).toEqual({
        blamesRequest: true,
        message,
        retryable: false,
      });
    },
  );

  it.each([
    [401, false],
    [402, false],
    [403, false],
    [409, true],
    [429, true],
    [500, true],
    [503, true],
    [504, true],
    [529, true],
  ])('%i is neutral, and transient: %s', (status, retryable) => {
    const failure = readError(status, errorOf('x-api-key sk-ant-api03-secret is over its limit'));
    expect(failure).toMatchObject({ blamesRequest: false, retryable });
    expect(failure.message).toBe('The provider could not serve the request. Please try again.');
  });

  it.each([
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade.',
    'You have reached your specified API usage limits. You will regain access on 2026-12-01.',
  ])('a 400 about our own account is not the fault of the request: %s', (message) => {
    expect(readError(400, errorOf(message))).toMatchObject({
      blamesRequest: false,
      retryable: false,
    });
  });

  it('a model that the provider does not know is the fault of our catalog', () => {
    const failure = readError(404, errorOf('model: claude-nonesuch', 'not_found_error'));
    expect(failure.blamesRequest).toBe(false);
  });

  it.each([
    [undefined],
    [null],
    ['<html>'],
    [[]],
    [{ error: 'text' }],
    [{ error: { message: 7 } }],
  ])('a body that is no error leaves a message to show: %j', (body) => {
    expect(readError(400, body).message).toMatch(/\w/);
    expect(readError(500, body).message).toMatch(/\w/);
  });

  it('no credential gets into a message', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{20,40}$/).map((text) => `${text}7`);
    const around = fc.constantFrom(
      (key: string) => `invalid x-api-key: sk-ant-api03-${key}`,
      (key: string) => `header "authorization": "Bearer ${key}" is malformed`,
      (key: string) => `mcp_servers.0.authorization_token: ${key} was refused`,
      (key: string) => `Incorrect API key provided: ${key}.`,
      (key: string) => `organization org-${key} is blocked`,
    );
    fc.assert(
      fc.property(secret, around, (key, write) => {
        expect(readError(400, errorOf(write(key))).message).not.toContain(key);
      }),
    );
  });

  it('leaves words about credentials alone', () => {
    const message = 'authorization_token must be a string, and the api key must not be empty';
    expect(readError(400, errorOf(message)).message).toBe(message);
  });
});

describe('an error event', () => {
  it.each([
    ['invalid_request_error', 'invalid_request'],
    ['request_too_large', 'invalid_request'],
    ['overloaded_error', 'gateway'],
    ['rate_limit_error', 'gateway'],
    ['authentication_error', 'gateway'],
    ['an_error_yet_unknown', 'gateway'],
  ])('%s is %s', (type, code) => {
    expect(readErrorEvent(errorOf('why', type))).toMatchObject({ code });
  });
});
