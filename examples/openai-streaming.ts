// The OpenAI client, streamed on both routes, from both families.
import OpenAI from 'openai';

const client = new OpenAI();

const chunks = await client.chat.completions.create({
  model: 'claude-sonnet-5',
  stream: true,
  messages: [{ role: 'user', content: 'Say hello.' }],
});
for await (const chunk of chunks) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}
console.log();

const events = await client.responses.create({
  model: 'gpt-5.6-sol',
  stream: true,
  input: 'Say hello.',
});
for await (const event of events) {
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);
  if (event.type === 'response.completed') {
    console.log(`\n${event.response.usage?.output_tokens} tokens`);
  }
}
