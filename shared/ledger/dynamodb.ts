import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand as QueryItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { createHttpHandler, Sha256 } from './sdk-parts.ts';
import type {
  Changes,
  Condition,
  Item,
  ItemKey,
  Path,
  QueryCommand,
  Send,
  StoreCommand,
  StoreReply,
  UpdateCommand,
  Value,
} from './store.ts';
import { StoreFailure } from './store.ts';

/*
 * The plain client, not the document client: the five types of value that the ledger stores need
 * thirty lines here, numbers become BigInt without a wrapper, and a cold start loads less.
 */

type Attributes = Record<string, AttributeValue>;

/** Errors after which the database surely wrote nothing: it refused before it looked at the item. */
const SURELY_NOT_APPLIED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ResourceNotFoundException',
  'ValidationException',
  'AccessDeniedException',
  'UnrecognizedClientException',
]);

export interface DynamoDbSettings {
  /** Address of a local database; undefined: AWS itself, with its own credentials. */
  readonly endpoint?: string;
  readonly region?: string;
}

/** Makes a client whose SDK retries are off: the ledger itself knows which write may be repeated. */
export function createDynamoDbClient(settings: DynamoDbSettings): DynamoDBClient {
  const local = settings.endpoint !== undefined;
  const client = new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: createHttpHandler(),
    sha256: Sha256,
    ...(settings.region !== undefined || local ? { region: settings.region ?? 'local' } : {}),
    ...(local
      ? {
          endpoint: settings.endpoint,
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        }
      : {}),
  });
  takeOutUnusedSteps(client);
  return client;
}

/**
 * Steps of the SDK that nothing here uses and every call pays: one walks input and output for a log
 * that nobody keeps, one names SDK, platform and features in two headers, one counts attempts where
 * there is only one. Others are placed relative to the last, so an empty step takes its place.
 */
function takeOutUnusedSteps({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.remove('loggerMiddleware');
  middlewareStack.remove('getUserAgentMiddleware');
  middlewareStack.add((next) => next, {
    name: 'retryMiddleware',
    step: 'finalizeRequest',
    priority: 'high',
    override: true,
  });
}

/**
 * Sends the ledger's commands by the SDK, each once and within its time.
 * A failed condition is a reply; everything else that goes wrong is a StoreFailure.
 */
export function createDynamoDbSend(client: DynamoDBClient): Send {
  return async (command, timeoutMs) => {
    const timeout = abortAfter(timeoutMs);
    try {
      return await dispatch(client, command, timeout.signal);
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) {
        const item = error.Item && itemOf(error.Item);
        return { outcome: 'refused', ...(item ? { item } : {}) };
      }
      throw new StoreFailure(surelyNotApplied(error) ? 'no' : 'unknown', error);
    } finally {
      timeout.clear();
    }
  };
}

/** Aborts after a time, but not before an answer that has arrived meanwhile was read. */
function abortAfter(timeoutMs: number): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => setImmediate(() => controller.abort()), timeoutMs);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

function surelyNotApplied(error: unknown): boolean {
  return error instanceof DynamoDBServiceException && SURELY_NOT_APPLIED.has(error.name);
}

async function dispatch(
  client: DynamoDBClient,
  command: StoreCommand,
  abortSignal: AbortSignal,
): Promise<StoreReply> {
  const TableName = command.table;
  switch (command.operation) {
    case 'get': {
      const input = { TableName, Key: keyOf(command.key), ConsistentRead: true };
      return withItem((await client.send(new GetItemCommand(input), { abortSignal })).Item);
    }
    case 'put': {
      const input = {
        TableName,
        Item: attributesOf(command.item),
        ...(command.ifAbsent ? { ConditionExpression: 'attribute_not_exists(pk)' } : {}),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      };
      await client.send(new PutItemCommand(input), { abortSignal });
      return { outcome: 'done' };
    }
    case 'delete':
      await client.send(new DeleteItemCommand({ TableName, Key: keyOf(command.key) }), {
        abortSignal,
      });
      return { outcome: 'done' };
    case 'update':
      return withItem(
        (await client.send(new UpdateItemCommand(updateInput(command)), { abortSignal }))
          .Attributes,
      );
    case 'query':
      return query(client, command, abortSignal);
  }
}

function withItem(attributes: Attributes | undefined): StoreReply {
  return { outcome: 'done', ...(attributes ? { item: itemOf(attributes) } : {}) };
}

async function query(
  client: DynamoDBClient,
  command: QueryCommand,
  abortSignal: AbortSignal,
): Promise<StoreReply> {
  const { from, to, after } = command;
  const bounded = from !== undefined && to !== undefined;
  const input = {
    TableName: command.table,
    ConsistentRead: true,
    KeyConditionExpression: bounded ? 'pk = :pk AND sk BETWEEN :from AND :to' : 'pk = :pk',
    ExpressionAttributeValues: {
      ':pk': { S: command.pk },
      ...(bounded ? { ':from': { S: from }, ':to': { S: to } } : {}),
    },
    ...(after ? { ExclusiveStartKey: keyOf(after) } : {}),
  };
  const page = await client.send(new QueryItemsCommand(input), { abortSignal });
  const last = page.LastEvaluatedKey && itemOf(page.LastEvaluatedKey);
  return {
    outcome: 'done',
    items: (page.Items ?? []).map(itemOf),
    ...(last ? { next: { pk: String(last.pk), sk: String(last.sk) } } : {}),
  };
}

/** Collects the placeholders of one expression: every name and value is passed beside it. */
class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Attributes = {};

  path(path: Path): string {
    return path
      .split('.')
      .map((part) => this.#name(part))
      .join('.');
  }

  value(value: Value): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = attributeOf(value);
    return placeholder;
  }

  #name(part: string): string {
    const known = Object.entries(this.names).find(([, name]) => name === part);
    if (known) return known[0];
    const placeholder = `#n${Object.keys(this.names).length}`;
    this.names[placeholder] = part;
    return placeholder;
  }
}

function updateInput(command: UpdateCommand) {
  const placeholders = new Placeholders();
  const UpdateExpression = updateExpression(command.changes, placeholders);
  const ConditionExpression = command.conditions
    .map((condition) => conditionExpression(condition, placeholders))
    .join(' AND ');
  return {
    TableName: command.table,
    Key: keyOf(command.key),
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeNames: placeholders.names,
    ...(Object.keys(placeholders.values).length > 0
      ? { ExpressionAttributeValues: placeholders.values }
      : {}),
    ReturnValues: 'ALL_NEW' as const,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function updateExpression(changes: Changes, placeholders: Placeholders): string {
  const sets = Object.entries(changes.set ?? {}).map(
    ([path, value]) => `${placeholders.path(path)} = ${placeholders.value(value)}`,
  );
  const additions = Object.entries(changes.add ?? {}).map(([path, amount]) => {
    const name = placeholders.path(path);
    return `${name} = ${name} + ${placeholders.value(amount)}`;
  });
  const removals = (changes.remove ?? []).map((path) => placeholders.path(path));
  const assignments = [...sets, ...additions];
  return [
    assignments.length > 0 ? `SET ${assignments.join(', ')}` : '',
    removals.length > 0 ? `REMOVE ${removals.join(', ')}` : '',
  ]
    .filter((clause) => clause !== '')
    .join(' ');
}

function conditionExpression(condition: Condition, placeholders: Placeholders): string {
  const path = placeholders.path(condition.path);
  if (condition.is === 'present') return `attribute_exists(${path})`;
  if (condition.is === 'absent') return `attribute_not_exists(${path})`;
  return `${path} ${condition.is} ${placeholders.value(condition.value)}`;
}

function keyOf(key: ItemKey): Attributes {
  return { pk: { S: key.pk }, sk: { S: key.sk } };
}

function attributesOf(item: Item): Attributes {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, attributeOf(value)]),
  );
}

function attributeOf(value: Value): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'bigint') return { N: value.toString() };
  if (typeof value === 'boolean') return { BOOL: value };
  return { M: attributesOf(value) };
}

function itemOf(attributes: Attributes): Item {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, valueIn(name, value)]),
  );
}

function valueIn(name: string, attribute: AttributeValue): Value {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return BigInt(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.M !== undefined) return itemOf(attribute.M);
  throw new TypeError(`attribute "${name}" has a type that the ledger never writes`);
}
