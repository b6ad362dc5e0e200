// The OpenAI Agents SDK: an agent with a tool, on the responses route.
import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

setDefaultOpenAIClient(new OpenAI());
// Traces would go to OpenAI, not to the gateway.
setTracingDisabled(true);

const weather = tool({
  name: 'current_weather',
  description: 'The weather in a city, now.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny in ${city}, 24 degrees.`,
});
const agent = new Agent({
  name: 'Weather',
  instructions: 'You tell the weather.',
  model: 'claude-sonnet-5',
  tools: [weather],
});
const result = await run(agent, 'What is the weather in Lisbon?');
console.log(result.finalOutput);
