// The OpenAI client, responses: two turns. Nothing is stored, so the second turn sends the first.
import OpenAI from 'openai';

const client = new OpenAI();
const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Name a colour.' }];

const first = await client.responses.create({ model: 'claude-opus-4-8', input });
console.log(first.output_text);

// The client's types keep what comes out apart from what goes in; the API takes it back as it is.
const output = first.output as OpenAI.Responses.ResponseInput;
input.push(...output, { role: 'user', content: 'And another one.' });
const second = await client.responses.create({ model: 'claude-opus-4-8', input });
console.log(second.output_text);
