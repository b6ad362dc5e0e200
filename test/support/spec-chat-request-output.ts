import { SCHEMA, SEARCHING } from './spec-chat-request-fixtures.ts';
import { A, B, type Claims } from './spec-gateway.ts';

const format = {
  type: 'json_schema',
  json_schema: { name: 'city', schema: SCHEMA, strict: true },
};
const location = {
  type: 'approximate',
  approximate: { city: 'Bern', country: 'CH', region: 'BE', timezone: 'Europe/Zurich' },
};

export const OUTPUT: Claims = {
  accepted: [
    {
      claim: '2.4 response_format: a schema on family A',
      fields: { response_format: format },
      sent: { response_format: format },
    },
    {
      claim: '2.4 response_format: a schema on family B',
      fields: { model: B, response_format: format },
      sent: { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    },
    {
      claim: "2.4 response_format: json_object and extra keys are the provider's",
      fields: { response_format: { type: 'json_object', extra: 1 } },
      sent: { response_format: { type: 'json_object', extra: 1 } },
    },
    {
      claim: '2.4 response_format: text on family B',
      fields: { model: B, response_format: { type: 'text' } },
      without: ['response_format', 'output_config'],
    },
    {
      claim: '2.4 verbosity: a model that supports it',
      fields: { verbosity: 'low' },
      sent: { verbosity: 'low' },
    },
    {
      claim: '2.4 modalities: text alone',
      fields: { modalities: ['text'] },
      without: ['modalities'],
    },
    {
      claim: '2.4 web_search_options: a search model',
      fields: {
        model: SEARCHING,
        web_search_options: { search_context_size: 'low', user_location: location },
      },
      sent: { web_search_options: { search_context_size: 'low', user_location: location } },
    },
    {
      claim: '2.4 web_search_options: the hosted search, capped, on family B',
      fields: {
        model: B,
        web_search_options: { search_context_size: 'high', user_location: location },
      },
      sent: {
        tools: [
          {
            name: 'web_search',
            max_uses: 50,
            user_location: { type: 'approximate', city: 'Bern', country: 'CH' },
          },
        ],
      },
      without: ['web_search_options'],
    },
  ],
  refused: [
    {
      claim: '2.4 response_format: json_object on family B',
      fields: { model: B, response_format: { type: 'json_object' } },
      names: /^response_format\.type/,
    },
    {
      claim: '2.4 response_format: type is required',
      fields: { response_format: {} },
      names: /^response_format\.type/,
    },
    {
      claim: '2.4 response_format: schema must be an object',
      fields: { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: 'x' } } },
      names: /^response_format\.json_schema\.schema/,
    },
    {
      claim: '2.4 response_format: strict must be a boolean',
      fields: {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'x', schema: {}, strict: 'x' },
        },
      },
      names: /^response_format\.json_schema\.strict/,
    },
    {
      claim: '2.4 verbosity: family B',
      fields: { model: B, verbosity: 'low' },
      names: /^verbosity/,
    },
    {
      claim: '2.4 verbosity: a model without it',
      fields: { model: SEARCHING, verbosity: 'low' },
      names: /^verbosity/,
    },
    { claim: '2.4 verbosity: must be text', fields: { verbosity: 1 }, names: /^verbosity/ },
    ...[A, B, SEARCHING].map((model) => ({
      claim: `2.4 prediction: ${model} has none`,
      fields: { model, prediction: { type: 'content', content: 'x' } },
      names: /^prediction/,
    })),
    {
      claim: '2.4 prediction: must be an object',
      fields: { prediction: 'x' },
      names: /^prediction/,
    },
    ...[['text', 'audio'], ['audio'], ['text', 'text'], [], 'text'].map((modalities) => ({
      claim: `2.4 modalities: ${JSON.stringify(modalities)}`,
      fields: { modalities },
      names: /^modalities/,
    })),
    {
      claim: '2.4 web_search_options: a model that does not search',
      fields: { web_search_options: {} },
      names: /^web_search_options/,
    },
    {
      claim: '2.4 web_search_options: an unknown size',
      fields: { model: SEARCHING, web_search_options: { search_context_size: 'huge' } },
      names: /^web_search_options\.search_context_size/,
    },
    {
      claim: '2.4 web_search_options: no other property',
      fields: { model: SEARCHING, web_search_options: { other: 1 } },
      names: /^web_search_options\.other/,
    },
    {
      claim: '2.4 web_search_options: the location has a type',
      fields: { model: SEARCHING, web_search_options: { user_location: { approximate: {} } } },
      names: /user_location\.type/,
    },
    {
      claim: '2.4 web_search_options: no other property of the location',
      fields: {
        model: SEARCHING,
        web_search_options: { user_location: { ...location, exact: 1 } },
      },
      names: /user_location\.exact/,
    },
    {
      claim: '2.4 web_search_options: no other property of the place',
      fields: {
        model: SEARCHING,
        web_search_options: {
          user_location: { type: 'approximate', approximate: { street: 'x' } },
        },
      },
      names: /approximate\.street/,
    },
  ],
};
