import { createHash } from 'node:crypto';

/** A message attribute as SQS has it on the wire; a binary value is base64. */
export type MessageAttribute = {
  DataType: string;
  StringValue?: string;
  BinaryValue?: string;
};
export type MessageAttributes = Record<string, MessageAttribute>;

/** What a sender hands in. */
export type NewMessage = {
  body: string;
  attributes?: MessageAttributes | undefined;
  groupId?: string | undefined;
  /** Overrides the queue's delay. */
  delaySeconds?: number | undefined;
};

/** A message in a queue. Times are epoch milliseconds. */
export type Message = {
  id: string;
  body: string;
  attributes: MessageAttributes;
  groupId?: string;
  sentAt: number;
  receiveCount: number;
  firstReceivedAt?: number;
  deadLetterSource?: string;
};

/** AWS counts the body and the names, types and values of the attributes, in bytes of UTF-8. */
export function messageBytes({ body, attributes = {} }: NewMessage): number {
  const parts = Object.entries(attributes).flatMap(
    ([name, { DataType, StringValue = '', BinaryValue = '' }]) => [
      Buffer.byteLength(name) + Buffer.byteLength(DataType),
      Buffer.byteLength(StringValue) + Buffer.from(BinaryValue, 'base64').length,
    ],
  );
  return parts.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(body));
}

const md5 = (bytes: string | Buffer) => createHash('md5').update(bytes).digest('hex');

export const md5OfBody = (body: string) => md5(body);

/**
 * The digest over the attributes, sorted by name: each name, type and value with its length before it, and one
 * byte that tells strings (1) from binaries (2). From the SQS developer guide, "Calculating the MD5 message digest
 * for message attributes". Undefined where there are none.
 */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const parts = names.flatMap((name) => {
    const { DataType, StringValue, BinaryValue } = attributes[name]!;
    const value = DataType.startsWith('Binary')
      ? [Buffer.from([2]), ...withLength(Buffer.from(BinaryValue ?? '', 'base64'))]
      : [Buffer.from([1]), ...withLength(Buffer.from(StringValue ?? ''))];
    return [...withLength(Buffer.from(name)), ...withLength(Buffer.from(DataType)), ...value];
  });
  return md5(Buffer.concat(parts));
}

function withLength(bytes: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}
