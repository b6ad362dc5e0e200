// LangChain: whole and streamed, and an answer of a given shape.
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

const model = new ChatOpenAI({
  model: 'claude-sonnet-5',
  configuration: { baseURL: process.env.OPENAI_BASE_URL },
});

const answer = await model.invoke('Say hello.');
console.log(answer.text);

for await (const chunk of await model.stream('Say hello once more.')) {
  process.stdout.write(chunk.text);
}
console.log();

const City = z.object({ name: z.string(), country: z.string() });
const city = await model
  .withStructuredOutput(City, { name: 'city', method: 'jsonSchema' })
  .invoke('Which city is the capital of Portugal?');
console.log(city);
