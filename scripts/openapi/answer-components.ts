import * as z from 'zod';
import { catalog, catalogDeployment, catalogModel } from './answers/catalog.ts';
import { answerMessage, chatChunk, chatCompletion, chatUsage } from './answers/chat.ts';
import { errorAnswer, gatewayMetadata, model, modelList } from './answers/common.ts';
import { EVENTS, otherEvent, streamEvent } from './answers/events.ts';
import { KNOWN_ITEMS, otherItem, outputItem, outputText, refusalPart } from './answers/items.ts';
import { response, responsesUsage } from './answers/response.ts';
import { type Components, componentsOf } from './schema.ts';

const NAMED: Readonly<Record<string, z.core.$ZodType>> = {
  Error: errorAnswer,
  ModelList: modelList,
  Model: model,
  Catalog: catalog,
  CatalogModel: catalogModel,
  CatalogDeployment: catalogDeployment,
  ChatCompletion: chatCompletion,
  ChatCompletionChunk: chatChunk,
  ChatAnswerMessage: answerMessage,
  ChatUsage: chatUsage,
  Response: response,
  ResponsesUsage: responsesUsage,
  OutputItem: outputItem,
  OutputText: outputText,
  OutputRefusal: refusalPart,
  ...KNOWN_ITEMS,
  OtherItem: otherItem,
  ResponseStreamEvent: streamEvent,
  ...EVENTS,
  OtherEvent: otherEvent,
  GatewayMetadata: gatewayMetadata,
};

/** What clients get, as components. */
export function answerComponents(): Components {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  return componentsOf(registry, 'output');
}
