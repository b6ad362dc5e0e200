// Plain fetch: no client at all, the stream read event by event.
import { EventSourceParserStream } from 'eventsource-parser/stream';

const { OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;

const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${OPENAI_API_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    model: 'claude-sonnet-5',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'Say hello.' }],
  }),
});
if (!response.ok || response.body === null) {
  throw new Error(`${response.status}: ${await response.text()}`);
}

const events = response.body
  .pipeThrough(new TextDecoderStream())
  .pipeThrough(new EventSourceParserStream());
for await (const { data } of events) {
  if (data === '[DONE]') break;
  const chunk = JSON.parse(data);
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
  if (chunk.usage) console.log(`\n${chunk.usage.total_tokens} tokens`);
}
