import { isJsonObject } from './json.ts';

const MEDIA_TYPES = new Set([
  'image',
  'image_url',
  'image_file',
  'input_image',
  'output_image',
  'audio',
  'audio_url',
  'input_audio',
  'output_audio',
  'video',
  'video_url',
  'input_video',
  'file',
  'input_file',
  'document',
  'computer_screenshot',
]);
const MEDIA_KEYS = [
  'image',
  'image_url',
  'image_file',
  'input_image',
  'audio',
  'audio_url',
  'input_audio',
  'video_url',
  'input_video',
  'file',
  'file_id',
  'file_data',
  'file_url',
  'input_file',
  'inline_data',
];

/** Why images, audio and files are refused, and what to send instead (part 1.6). */
export const TEXT_ONLY =
  'holds an image, audio or a file, which this text-only service does not take; send text instead';

/** Whether an object is an image, audio or file part: by its type, or by a key that carries one. */
export function isMedia(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (typeof value.type === 'string' && MEDIA_TYPES.has(value.type)) return true;
  return MEDIA_KEYS.some((key) => Object.hasOwn(value, key));
}

/** Path of the first image, audio or file part at any depth of a value; undefined: there is none. */
export function findMedia(value: unknown): (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isMedia(value)) return [];
  const entries: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  for (const [key, inner] of entries) {
    const path = findMedia(inner);
    if (path) return [key, ...path];
  }
  return undefined;
}
