// The OpenAI client, structured output: the answer is JSON of this shape, or a refusal.
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';

const client = new OpenAI();
const Invoice = z.object({
  customer: z.string(),
  lines: z.array(z.object({ text: z.string(), amount: z.number() })),
});

const completion = await client.chat.completions.parse({
  model: 'claude-opus-4-8',
  messages: [{ role: 'user', content: 'Two coffees for Ada, 3.50 each.' }],
  response_format: zodResponseFormat(Invoice, 'invoice'),
});
console.log(completion.choices[0]?.message.parsed);
