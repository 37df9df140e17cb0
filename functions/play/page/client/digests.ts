export const bytesOfHex = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
export const hexOf = (buffer: ArrayBuffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
export const utf8Bytes = (text: string) => new TextEncoder().encode(text);
export const base64Of = (buffer: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
/** Encodes 32 bytes as base64url without padding, as the service encodes digests. */
export const base64UrlOf = (buffer: ArrayBuffer) =>
  base64Of(buffer).replace(/\+/g, '-').replace(/\//g, '_').replace('=', '');

export const sha256 = (bytes: Uint8Array<ArrayBuffer>) => crypto.subtle.digest('SHA-256', bytes);
export const sha256Hex = async (text: string): Promise<string> => hexOf(await sha256(utf8Bytes(text)));

/** Returns a function that computes the HMAC-SHA-256 of a text with `key`, which is hex. */
export const hmacSigner = async (key: string) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', bytesOfHex(key), algorithm, false, ['sign']);
  return (text: string) => crypto.subtle.sign('HMAC', imported, utf8Bytes(text));
};
