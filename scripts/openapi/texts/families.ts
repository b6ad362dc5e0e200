/** Which family takes a field: the words that every description uses. */
export const OPENAI_ONLY =
  '**OpenAI and Azure models only.** Anthropic models refuse the field with a 400.';
export const ANTHROPIC_ONLY =
  '**Anthropic models only.** OpenAI and Azure models refuse the field with a 400.';
