import { invalidRequest } from '../api/error.ts';
import { quoted } from '../api/quoted.ts';
import type { ReasoningIntent } from '../api/reasoning.ts';
import type { Deployment } from '../catalog/types.ts';

/**
 * Refuses reasoning settings that the model cannot follow, by the catalog's facts: availability,
 * efforts, budget range. `outputCap` is the request's, in tokens. Throws a 400.
 */
export function checkReasoning(
  intent: ReasoningIntent,
  deployment: Deployment,
  outputCap: number | undefined,
): void {
  const { availability } = deployment.reasoning;
  const off = intent.enabled === false || intent.effort === 'none';
  if (off && availability === 'required') {
    throw invalidRequest(
      `reasoning cannot be switched off on model ${deployment.model}; leave it out or choose another model`,
    );
  }
  if (!off && availability === 'unsupported') checkNoReasoning(intent, deployment);
  if (!off) checkEffort(intent, deployment);
  checkBudget(intent, deployment, outputCap);
  checkDisplay(intent, deployment);
}

function checkNoReasoning(intent: ReasoningIntent, { model }: Deployment): void {
  const asked = Object.keys(intent).length > 0;
  if (asked) throw invalidRequest(`reasoning is not available on model ${model}; leave it out`);
}

function checkEffort({ effort }: ReasoningIntent, { model, reasoning }: Deployment): void {
  const { efforts, availability } = reasoning;
  if (effort === undefined || efforts.some((known) => known === effort)) return;
  const known = availability === 'optional' ? ['none', ...efforts] : efforts;
  throw invalidRequest(
    `reasoning.effort ${quoted(effort)} is not available on model ${model}; use one of ${[...new Set(known)].join(', ')}`,
  );
}

function checkBudget(
  { maxTokens }: ReasoningIntent,
  { model, reasoning: { budget } }: Deployment,
  outputCap: number | undefined,
): void {
  if (maxTokens === undefined) return;
  if (!budget) {
    throw invalidRequest(
      `reasoning.max_tokens is not taken by model ${model}; use reasoning.effort`,
    );
  }
  const { minimum, maximum } = budget;
  if (maxTokens < minimum || maxTokens > maximum) {
    throw invalidRequest(
      `reasoning.max_tokens must be ${minimum} to ${maximum} on model ${model}; it is ${maxTokens}`,
    );
  }
  if (outputCap !== undefined && maxTokens >= outputCap) {
    throw invalidRequest(
      `reasoning.max_tokens must be below the output cap of ${outputCap} tokens; lower it or raise the cap`,
    );
  }
}

/** The OpenAI family has no say over the display of reasoning; Anthropic's values are its own. */
function checkDisplay({ display }: ReasoningIntent, { family, model }: Deployment): void {
  if (display === undefined || family === 'anthropic') return;
  throw invalidRequest(`reasoning.display is not taken by model ${model}; leave it out`);
}
