import type {
  BetaMessageParam,
  BetaToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { invalidRequest } from '../../api/error.ts';
import { quoted } from '../../api/quoted.ts';
import type { ToolResultEntry, Turn } from './conversation.ts';

/**
 * Turns as messages, each user turn led by the results of the calls that the assistant turn before
 * it made, in call order. Throws a 400 where a result has no such call, a call no result directly
 * after it, or two of either share an ID: the provider refuses all of these.
 */
export function gatherToolResults(turns: readonly Turn[]): BetaMessageParam[] {
  return turns.map((turn, index) => {
    if (turn.role === 'system') return { role: 'system', content: turn.blocks };
    if (turn.role === 'assistant') {
      if (turns[index + 1]?.role !== 'user') checkAnswered(callIds(turn), []);
      return { role: 'assistant', content: turn.blocks };
    }
    const results = inCallOrder(callIds(turns[index - 1]), turn.results);
    return { role: 'user', content: [...results, ...turn.blocks] };
  });
}

function callIds(turn: Turn | undefined): string[] {
  if (turn?.role !== 'assistant') return [];
  return turn.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

function inCallOrder(
  calls: readonly string[],
  entries: readonly ToolResultEntry[],
): BetaToolResultBlockParam[] {
  const results = new Map<string, BetaToolResultBlockParam>();
  const known = new Set(calls);
  for (const { result, field } of entries) {
    const id = result.tool_use_id;
    if (!known.has(id)) {
      throw invalidRequest(
        `${field} answers the call ${quoted(id)}, which the assistant turn before it did not make`,
      );
    }
    if (results.has(id)) throw invalidRequest(`${field} answers the call ${quoted(id)} again`);
    results.set(id, result);
  }
  checkAnswered(calls, [...results.keys()]);
  return calls.flatMap((id) => results.get(id) ?? []);
}

function checkAnswered(calls: readonly string[], answered: readonly string[]): void {
  const seen = new Set<string>();
  const given = new Set(answered);
  for (const id of calls) {
    if (seen.has(id)) throw invalidRequest(`the call ID ${quoted(id)} is used twice in one turn`);
    if (!given.has(id)) {
      throw invalidRequest(
        `the tool call ${quoted(id)} has no result directly after its turn; send the result of every call`,
      );
    }
    seen.add(id);
  }
}
