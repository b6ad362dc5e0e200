// The Vercel AI SDK: text, a stream, and a tool that it runs by itself. It reads OPENAI_BASE_URL and OPENAI_API_KEY.
import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const model = openai.chat('claude-sonnet-5');

const { text } = await generateText({ model, prompt: 'Say hello.' });
console.log(text);

const { textStream } = streamText({ model, prompt: 'Say hello once more.' });
for await (const part of textStream) process.stdout.write(part);
console.log();

const weather = tool({
  description: 'The weather in a city, now.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny in ${city}, 24 degrees.`,
});
const { text: answer, steps } = await generateText({
  model,
  tools: { weather },
  stopWhen: stepCountIs(2),
  prompt: 'What is the weather in Lisbon?',
});
console.log(`${steps.length} steps: ${answer}`);
