// The OpenAI client, tools: the model calls a function, its result goes back, the model answers.
import OpenAI from 'openai';

const client = new OpenAI();
const model = 'claude-sonnet-5';
const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'current_weather',
      description: 'The weather in a city, now.',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      },
    },
  },
];
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: 'What is the weather in Lisbon?' },
];

const asked = await client.chat.completions.create({ model, messages, tools });
const message = asked.choices[0]?.message;
if (message?.tool_calls === undefined) throw new Error('the model called no tool');

messages.push(message);
for (const call of message.tool_calls) {
  if (call.type !== 'function') continue;
  console.log(`${call.function.name}(${call.function.arguments})`);
  messages.push({ role: 'tool', tool_call_id: call.id, content: 'Sunny, 24 degrees.' });
}
const answered = await client.chat.completions.create({ model, messages, tools });
console.log(answered.choices[0]?.message.content);
