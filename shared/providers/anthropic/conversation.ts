import type {
  BetaContentBlockParam,
  BetaMessageParam,
  BetaTextBlockParam,
  BetaToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { invalidRequest } from '../../api/error.ts';
import { gatherToolResults } from './tool-results.ts';

/** One step of the client's conversation, in its order, as blocks of the provider. */
export type ConversationEntry =
  | { readonly role: 'system'; readonly blocks: readonly BetaTextBlockParam[] }
  | { readonly role: 'user'; readonly blocks: readonly BetaTextBlockParam[] }
  | { readonly role: 'assistant'; readonly blocks: readonly BetaContentBlockParam[] }
  | {
      readonly role: 'tool';
      readonly result: BetaToolResultBlockParam;
      /** Where the result stands in the client's request. */
      readonly field: string;
    };

export interface Conversation {
  readonly system: readonly BetaTextBlockParam[];
  readonly messages: readonly BetaMessageParam[];
}

export interface ConversationRules {
  /** The model takes a `system` message in place. */
  readonly systemMessages: boolean;
  /** The field that holds the conversation, for error messages. */
  readonly field: string;
}

/** All that one side says until the other side speaks. */
export type Turn =
  | { readonly role: 'assistant'; readonly blocks: BetaContentBlockParam[] }
  | { readonly role: 'system'; readonly blocks: BetaTextBlockParam[] }
  | {
      readonly role: 'user';
      readonly blocks: BetaTextBlockParam[];
      readonly results: ToolResultEntry[];
    };

export type ToolResultEntry = Extract<ConversationEntry, { role: 'tool' }>;

/**
 * The conversation in the form that the provider takes: leading system texts apart, turns that
 * alternate, tool results first in the turn after their calls and in their order. Nothing is lost;
 * what cannot be sent is a 400.
 */
export function buildConversation(
  entries: readonly ConversationEntry[],
  rules: ConversationRules,
): Conversation {
  const spoken = entries.filter((entry) => entry.role === 'tool' || entry.blocks.length > 0);
  const firstTurn = spoken.findIndex(({ role }) => role !== 'system');
  const leading = firstTurn === -1 ? spoken : spoken.slice(0, firstTurn);
  const placed = placeSystemMessages(spoken.slice(leading.length), rules);
  const turns = mergeTurns(placed.entries);
  if (turns.length === 0) {
    throw invalidRequest(`${rules.field} needs at least one message with text that is not system`);
  }
  return {
    system: [...leading, ...placed.moved].flatMap((entry) =>
      entry.role === 'system' ? entry.blocks : [],
    ),
    messages: trimLastTurn(gatherToolResults(turns)),
  };
}

/**
 * Later system texts stay in place where the model takes them: after the user's side and last, or
 * directly followed by an assistant turn. All others move to the end of `system`.
 */
function placeSystemMessages(entries: readonly ConversationEntry[], rules: ConversationRules) {
  const kept: ConversationEntry[] = [];
  const moved: ConversationEntry[] = [];
  let followsAssistant = false;
  for (const [index, entry] of entries.entries()) {
    if (entry.role !== 'system') {
      followsAssistant = entry.role === 'assistant';
      kept.push(entry);
    } else if (rules.systemMessages && !followsAssistant && endsUserSide(entries, index)) {
      kept.push(entry);
    } else moved.push(entry);
  }
  return { entries: kept, moved };
}

/** Whether an assistant turn, or nothing, comes after the run of system texts. */
function endsUserSide(entries: readonly ConversationEntry[], index: number): boolean {
  let next = index + 1;
  while (entries[next]?.role === 'system') next += 1;
  return entries[next] === undefined || entries[next]?.role === 'assistant';
}

function mergeTurns(entries: readonly ConversationEntry[]): Turn[] {
  const turns: Turn[] = [];
  for (const entry of entries) addToTurns(turns, entry);
  return turns;
}

function addToTurns(turns: Turn[], entry: ConversationEntry): void {
  const last = turns.at(-1);
  switch (entry.role) {
    case 'assistant':
      if (last?.role === 'assistant') append(last.blocks, entry.blocks);
      else turns.push({ role: 'assistant', blocks: [...entry.blocks] });
      break;
    case 'system':
      if (last?.role === 'system') append(last.blocks, entry.blocks);
      else turns.push({ role: 'system', blocks: [...entry.blocks] });
      break;
    default:
      addToUserTurn(turns, entry);
  }
}

function addToUserTurn(
  turns: Turn[],
  entry: Extract<ConversationEntry, { role: 'user' | 'tool' }>,
): void {
  let turn = turns.at(-1);
  if (turn?.role !== 'user') {
    turn = { role: 'user', blocks: [], results: [] };
    turns.push(turn);
  }
  if (entry.role === 'tool') turn.results.push(entry);
  else append(turn.blocks, entry.blocks);
}

/** One by one: a spread call would put a long list on the stack. */
function append<T>(list: T[], added: readonly T[]): void {
  for (const item of added) list.push(item);
}

/** The provider refuses a final assistant turn that ends in white space. */
function trimLastTurn(messages: readonly BetaMessageParam[]): BetaMessageParam[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || typeof last.content === 'string') return [...messages];
  const block = last.content.at(-1);
  if (block?.type !== 'text') return [...messages];
  const trimmed = { ...block, text: block.text.trimEnd() };
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), trimmed] }];
}
