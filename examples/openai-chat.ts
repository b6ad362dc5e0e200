// The OpenAI client, chat completions. It reads OPENAI_BASE_URL and OPENAI_API_KEY by itself.
import OpenAI from 'openai';

const client = new OpenAI();

const completion = await client.chat.completions.create({
  model: 'gpt-5.6-sol',
  messages: [
    { role: 'developer', content: 'You answer in one sentence.' },
    { role: 'user', content: 'What does a prepaid gateway do?' },
  ],
});
console.log(completion.choices[0]?.message.content);
console.log(`${completion.usage?.total_tokens} tokens`);
