import { CALLING, HI, RESULT, said, user } from './spec-chat-message-fixtures.ts';
import { A, B, type Claims } from './spec-gateway.ts';

const parts: Record<string, object> = {
  'an image': { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
  'an image of family B': {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'AA==' },
  },
  audio: { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
  'a file': { type: 'file', file: { file_id: 'file-1' } },
  'a document': { type: 'document', source: { type: 'text', data: 'x' } },
  'an image without a type': { image_url: { url: 'https://x.example/a.png' } },
  'an image in a text block': { type: 'text', text: 'x', image_url: 'https://x.example/a.png' },
  'a file in a text block': { type: 'text', text: 'x', file: { file_id: 'file-1' } },
};
const message = /^messages\[\d\]\.content\[0\].*text-only/;

export const MEDIA: Claims = {
  accepted: [],
  refused: [
    ...Object.entries(parts).flatMap(([name, part]) =>
      [A, B].flatMap((model) => [
        {
          claim: `2.5 content: ${name} from the user, ${model}`,
          fields: { model, ...user([part]) },
          names: message,
        },
        {
          claim: `2.5 content: ${name} from a tool, ${model}`,
          fields: { model, messages: [HI, CALLING, { ...RESULT, content: [part] }] },
          names: message,
        },
      ]),
    ),
    ...[
      {
        claim: '2.5 audio: of an assistant',
        fields: said({ audio: { id: 'audio_1' } }),
        names: /^messages\[1\]\.audio|^messages\[1\] /,
      },
      {
        claim: '2.5 audio: of an assistant, family B',
        fields: { model: B, ...said({ content: 'x', audio: { id: 'audio_1' } }) },
        names: /^messages\[1\]/,
      },
      {
        claim: '2.5 content: an image hidden in reasoning_details',
        fields: {
          model: B,
          ...said({
            content: 'x',
            reasoning_details: [{ type: 'image', source: {}, signature: 'x' }],
          }),
        },
        names: /^messages\[1\]\.reasoning_details\[0\]/,
      },
    ],
  ],
};
