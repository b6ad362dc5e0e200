/** A schema with everything that a simulated model makes arguments from. */
export const PARAMETERS = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    unit: { enum: ['celsius', 'fahrenheit'] },
    days: { type: 'array', items: { type: 'integer', minimum: 2 } },
    where: { $ref: '#/$defs/place' },
  },
  required: ['city'],
  $defs: { place: { type: 'object', properties: { at: { type: ['null', 'string'] } } } },
};
/** The arguments that it makes. */
export const ARGUMENTS = { city: 'example', unit: 'celsius', days: [2], where: { at: null } };
