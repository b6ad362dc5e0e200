/**
 * Begins the `encrypted_content` of reasoning that the gateway itself sealed for the Anthropic
 * family. The OpenAI family cannot read it, and knows it by this.
 */
export const SEAL_PREFIX = 'tgr1.';
