import type {
  BetaOutputConfig,
  BetaThinkingConfigAdaptive,
  BetaThinkingConfigParam,
} from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { invalidRequest } from '../../api/error.ts';
import type { ReasoningIntent } from '../../api/reasoning.ts';
import type { Deployment } from '../../catalog/types.ts';
import { anthropicFacts } from './facts.ts';

type ProviderEffort = NonNullable<BetaOutputConfig['effort']>;
type Display = Exclude<BetaThinkingConfigAdaptive['display'], null | undefined>;

const EFFORTS: readonly ProviderEffort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
const DISPLAYS: readonly Display[] = ['summarized', 'omitted'];

const SMALLEST_BUDGET = 1024;
/** Thousandths of the output cap beyond the smallest budget, where a budget stands for an effort. */
const BUDGET_SHARES: Readonly<Record<ProviderEffort, number>> = {
  low: 150,
  medium: 425,
  high: 800,
  xhigh: 920,
  max: 1000,
};
/** What reasoning without an effort or a budget means where a budget must be named. */
const DEFAULT_EFFORT = 'medium';

export interface ThinkingSetup {
  readonly thinking?: BetaThinkingConfigParam;
  readonly effort?: ProviderEffort;
}

/**
 * The provider's thinking settings for what the client asks, which the deployment's facts allow.
 * Nothing asked: the provider's default. Throws a 400 where the output cap leaves no room to think.
 */
export function thinkingSetup(
  intent: ReasoningIntent,
  deployment: Deployment,
  maxTokens: number,
): ThinkingSetup {
  if (Object.keys(intent).length === 0) return {};
  // Switched off, there is nothing to display: `display` and `summary` are met by themselves.
  if (intent.enabled === false || intent.effort === 'none') {
    return { thinking: { type: 'disabled' } };
  }
  const display = displayOf(intent);
  const effort = effortOf(intent.effort);
  const named = { ...(effort !== undefined && { effort }) };
  const shown = { ...(display !== undefined && { display }) };
  if (intent.maxTokens !== undefined) {
    return { thinking: { type: 'enabled', budget_tokens: intent.maxTokens, ...shown }, ...named };
  }
  if (anthropicFacts(deployment).thinking === 'adaptive') {
    return { thinking: { type: 'adaptive', ...shown }, ...named };
  }
  const budget_tokens = effortBudget(effort ?? DEFAULT_EFFORT, deployment, maxTokens);
  return { thinking: { type: 'enabled', budget_tokens, ...shown }, ...named };
}

/** The provider has one kind of summary: whichever is asked for, its length is the provider's own. */
function displayOf({ display, summary }: ReasoningIntent): Display | undefined {
  if (display === undefined) return summary === undefined ? undefined : 'summarized';
  return oneOf(DISPLAYS, display, 'reasoning.display');
}

function effortOf(effort: string | undefined): ProviderEffort | undefined {
  return effort === undefined ? undefined : oneOf(EFFORTS, effort, 'reasoning.effort');
}

function oneOf<T extends string>(known: readonly T[], value: string, field: string): T {
  const found = known.find((name) => name === value);
  if (found === undefined) throw invalidRequest(`${field} must be one of ${known.join(', ')}`);
  return found;
}

function effortBudget(effort: ProviderEffort, deployment: Deployment, maxTokens: number): number {
  if (maxTokens <= SMALLEST_BUDGET) {
    throw invalidRequest(
      `reasoning on this model needs an output cap above ${SMALLEST_BUDGET} tokens; raise it`,
    );
  }
  const share = Math.floor((BUDGET_SHARES[effort] * (maxTokens - SMALLEST_BUDGET)) / 1000);
  const maximum = deployment.reasoning.budget?.maximum ?? maxTokens - 1;
  return Math.min(SMALLEST_BUDGET + share, maximum, maxTokens - 1);
}
