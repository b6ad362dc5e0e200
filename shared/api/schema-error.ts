import type * as z from 'zod/mini';
import { type GatewayError, invalidRequest } from './error.ts';
import { isMedia, TEXT_ONLY } from './media.ts';
import { quoted } from './quoted.ts';
import { REFUSED_INSIDE, REFUSED_TYPES } from './refused-fields.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'an integer',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
};

/** A path as clients write it: `messages[2].content[0].type`. */
export function formatPath(path: Path): string {
  const text = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    const word = String(key);
    return /^[\w.-]{1,64}$/.test(word) ? `.${word}` : `[${quoted(word)}]`;
  });
  return text.join('').replace(/^\./, '') || 'The body';
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    // Reading a property of anything but null and undefined is safe, and a path leads only there.
    (value, key) => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key],
    root,
  );
}

/** The branch of a union that the client meant: the one that went wrong deepest inside. */
function meantBranch(issue: z.core.$ZodIssueInvalidUnion): Issue | undefined {
  const firsts = issue.errors.flatMap(([first]) => first ?? []);
  const inside = firsts.find(({ code, path }) => path.length > 0 || code === 'unrecognized_keys');
  return inside ?? firsts.find(({ code }) => code === 'custom');
}

/** Follows unions down to the fault itself, its path made whole. */
function resolved(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = meantBranch(issue);
  return inner ? resolved({ ...inner, path: [...issue.path, ...inner.path] }) : issue;
}

function mustBe(expectation: string, value: unknown): string {
  return value === undefined ? `is required and must be ${expectation}` : `must be ${expectation}`;
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map(quoted).join(', ');
  return values.length === 1 ? words : `one of ${words}`;
}

/** A client may send any word, also the name of a method that every object has. */
function ownReason(reasons: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(reasons, word) ? reasons[word] : undefined;
}

function unionFault(issue: z.core.$ZodIssueInvalidUnion, value: unknown): string {
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
  if (options.length > 0) {
    const reason = typeof value === 'string' && ownReason(REFUSED_TYPES, value);
    if (reason) return `${quoted(value)} ${reason}`;
    const given =
      typeof value === 'string' ? `is ${quoted(value)}, which is not supported; it ` : '';
    return `${given}${mustBe(oneOf(options), value)}`;
  }
  const expectations = issue.errors.flatMap(([first]) => (first ? expectation(first) : []));
  return mustBe([...new Set(expectations)].join(' or '), value);
}

function expectation(issue: Issue): string {
  if (issue.code === 'invalid_type') return TYPE_NAMES[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return oneOf(issue.values);
  return 'valid';
}

function sizeFault({ code, origin, ...issue }: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig) {
  const bound = String('minimum' in issue ? issue.minimum : issue.maximum);
  const limit = code === 'too_small' ? 'at least' : 'at most';
  if (origin === 'array') return `must have ${limit} ${bound} element${bound === '1' ? '' : 's'}`;
  if (origin === 'string')
    return bound === '1' ? 'must not be empty' : `must have ${limit} ${bound} characters`;
  return `must be ${limit} ${bound}`;
}

function fault(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
      return mustBe(expectation(issue), value);
    case 'too_small':
    case 'too_big':
      return sizeFault(issue);
    case 'invalid_union':
      return unionFault(issue, value);
    case 'custom':
      return issue.message;
    default:
      return 'is not valid';
  }
}

/** Fields that hold what is said to the model, and so might hold more than text. */
const CONTENT_FIELDS: readonly unknown[] = ['messages', 'input', 'prediction'];

/** The part of the path that leads to an image, audio or a file, if one is at fault. */
function mediaPath(body: unknown, path: Path): Path | undefined {
  if (!CONTENT_FIELDS.includes(path[0])) return undefined;
  for (let length = 1; length <= path.length; length += 1) {
    const start = path.slice(0, length);
    if (isMedia(valueAt(body, start))) return start;
  }
  return undefined;
}

/** One 400 for the first fault that a schema found: it names the field and what to change. */
export function schemaError(error: z.core.$ZodError, body: unknown): GatewayError {
  const [first] = error.issues;
  if (!first) return invalidRequest('The body is not valid');
  const issue = resolved(first);
  const media = mediaPath(body, issue.path);
  if (media) return invalidRequest(`${formatPath(media)} ${TEXT_ONLY}`);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const reason = ownReason(REFUSED_INSIDE, key);
    const path = formatPath([...issue.path, key]);
    return invalidRequest(`${path} ${reason ?? 'is not a known field here; leave it out'}`);
  }
  return invalidRequest(`${formatPath(issue.path)} ${fault(issue, valueAt(body, issue.path))}`);
}
