import type { TextTally } from '../../pricing/tokens.ts';
import type { ProviderReport } from '../../pricing/usage.ts';
import type { AnswerContext } from '../contract.ts';
import { plannedCallMeter, type TokenCount, withCalls } from './usage.ts';

/** What was seen of one answer, whole or streamed, as far as the report needs it. */
interface Seen extends Pick<ProviderReport, 'complete' | 'producedOutput' | 'executed'> {
  readonly tally: TextTally;
  readonly count: TokenCount | undefined;
}

/**
 * What the provider said of an answer that ran `calls` priced hosted calls. The relayed text is
 * counted only when it is asked for: a report with the provider's usage needs no count.
 */
export function buildReport(seen: Seen, calls: number, { plan }: AnswerContext): ProviderReport {
  const { tally, count, complete, producedOutput, executed } = seen;
  return {
    usage: withCalls(count, plannedCallMeter(plan), calls),
    reasoningTokens: count?.reasoningTokens ?? 0,
    complete,
    producedOutput,
    get relayedOutputTokens() {
      return tally.tokens();
    },
    executed,
    ...(plan.searchContextSize !== undefined && { searchContextSize: plan.searchContextSize }),
  };
}
