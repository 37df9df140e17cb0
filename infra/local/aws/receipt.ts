/** Which receipt of which message a receipt handle stands for. */
export type Receipt = { id: string; receiveCount: number };

/** The handle of a receipt, opaque to its receiver. */
export const toHandle = ({ id, receiveCount }: Receipt): string =>
  Buffer.from(JSON.stringify([id, receiveCount])).toString('base64');

/** The receipt of a handle; undefined for a string that is not a handle. */
export function fromHandle(handle: string): Receipt | undefined {
  try {
    const [id, receiveCount] = JSON.parse(Buffer.from(handle, 'base64').toString());
    return typeof id === 'string' && typeof receiveCount === 'number' ? { id, receiveCount } : undefined;
  } catch {
    return undefined;
  }
}
