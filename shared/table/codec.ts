import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { fieldsImpliedByKey } from './implied.ts';
import { keyFields } from './keys.ts';
import { fieldOf, storedName } from './names.ts';
import { absentMark, isAbsent, packBytes, packText, unpackBinary } from './values.ts';

type Fields = Record<string, unknown>;

export function packItem(item: Fields): Fields {
  const implied = fieldsImpliedByKey(item) ?? {};
  const stored: Fields = {};
  for (const field of Object.keys(item)) {
    const value = item[field];
    if (keyFields.has(field)) stored[field] = value;
    else if (value !== implied[field]) stored[storedName(field)] = packValue(value);
  }
  for (const field in implied) if (item[field] === undefined) stored[storedName(field)] = absentMark;
  return stored;
}

/** A partly read item gets the fields read and, if the key is among them, those that follow from the key. */
export function unpackItem(stored: Fields): Fields {
  const item = fieldsImpliedByKey(stored) ?? {};
  for (const name of Object.keys(stored)) {
    const value = stored[name];
    if (typeof value !== 'object') item[fieldOf(name)] = value;
    else if (isAbsent(value)) delete item[fieldOf(name)];
    else item[fieldOf(name)] = unpackValue(value);
  }
  return item;
}

/** A marshalled item from the stream or a failed condition. Its binaries may be Base64 texts. */
type Image = { [name: string]: unknown };

export const unpackImage = (image: Image): Fields => unpackItem(unmarshall(mapOf(image, withBytes) as never));

type Value = { B?: unknown; L?: Value[]; M?: Record<string, Value> };

function withBytes(value: unknown): Value {
  const { B, L, M } = value as Value;
  if (typeof B === 'string') return { B: Buffer.from(B, 'base64') };
  if (L) return { L: L.map(withBytes) };
  return M ? { M: mapOf(M, withBytes) } : (value as Value);
}

function packValue(value: unknown): unknown {
  if (typeof value === 'string') return packText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return packBytes(value);
  if (Array.isArray(value)) return value.map(packValue);
  return isMap(value) ? mapOf(value, packValue, storedName) : value;
}

function unpackValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return unpackedBytes(value);
  if (Array.isArray(value)) return value.map(unpackValue);
  return isMap(value) ? mapOf(value, unpackValue, fieldOf) : value;
}

/** Returns a binary's text or bytes. A malformed binary stays as it is, so that other items can still be read. */
function unpackedBytes(stored: Uint8Array): string | Uint8Array {
  try {
    return unpackBinary(stored);
  } catch {
    return stored;
  }
}

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function mapOf<T>(
  map: object,
  change: (value: unknown) => T,
  rename = (name: string): string => name,
): Record<string, T> {
  const changed: Record<string, T> = {};
  for (const name of Object.keys(map)) changed[rename(name)] = change((map as Fields)[name]);
  return changed;
}

export function withCodec(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: packedRequest(args.input) as never });
      return { ...result, output: unpackedReply(result.output) as never };
    },
    // Has low priority, so that middleware which inspects requests runs before the codec and sees unpacked items.
    { step: 'initialize', priority: 'low', name: 'codec' },
  );
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: requests and replies of all commands that contain items
type Json = any;

function packedRequest(request: Json): Json {
  const { Item, TransactItems, RequestItems } = request;
  if (TransactItems) return { ...request, TransactItems: TransactItems.map(packedParts) };
  if (RequestItems) return { ...request, RequestItems: mapOf(RequestItems, packedBatch) };
  return { ...request, ...(Item && { Item: packItem(Item) }), ...packedExpressions(request) };
}
const packedParts = (parts: Json) => mapOf(parts, packedRequest);
const packedBatch = (batch: Json) => (Array.isArray(batch) ? batch.map(packedParts) : batch);

const expressions = [
  'ConditionExpression',
  'FilterExpression',
  'UpdateExpression',
  'ProjectionExpression',
] as const;

function packedExpressions(request: Json): Json {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = request;
  const changed: Json = {};
  if (names) changed.ExpressionAttributeNames = mapOf(names, (field) => storedName(String(field)));
  if (values) changed.ExpressionAttributeValues = { ...values };
  for (const name of expressions) {
    if (request[name] === undefined) continue;
    const { stored, placeholders } = storedExpression(request[name]);
    changed[name] = stored;
    // Packs only the values in `expressions`. Keys are stored unchanged, so values in key conditions are not
    // packed.
    for (const one of placeholders) changed.ExpressionAttributeValues[one] = packValue(values[one]);
  }
  return changed;
}

type StoredExpression = { stored: string; placeholders: string[] };
// Caches packed expressions. The service uses only a few dozen different expressions, so none is evicted.
const known = new Map<string, StoredExpression>();

function storedExpression(expression: string): StoredExpression {
  const found = known.get(expression);
  if (found) return found;
  // Also matches function names, which `storedName` leaves unchanged because no field has the name of a
  // function.
  const stored = expression.replace(/(?<![#:\w])[a-z]\w*/g, storedName);
  const translated = { stored, placeholders: expression.match(/:\w+/g) ?? [] };
  if (known.size < 500) known.set(expression, translated);
  return translated;
}

function unpackedReply(reply: Json): Json {
  const { Item, Items, Attributes, Responses, UnprocessedItems } = reply;
  const changed = { ...reply };
  if (Item) changed.Item = unpackItem(Item);
  if (Items) changed.Items = Items.map(unpackItem);
  if (Attributes) changed.Attributes = unpackItem(Attributes);
  if (Responses) changed.Responses = mapOf(Responses, (items: Json) => items.map(unpackItem));
  if (UnprocessedItems)
    changed.UnprocessedItems = mapOf(UnprocessedItems, (requests: Json) => requests.map(unpackedPut));
  return changed;
}
const unpackedPut = ({ PutRequest, ...rest }: Json) => ({
  ...rest,
  ...(PutRequest && { PutRequest: { Item: unpackItem(PutRequest.Item) } }),
});
