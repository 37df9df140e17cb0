/** The digests of the checks, by the browser's own cryptography. */

/** What hex digits stand for. */
export const bytesOf = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
export const hexOf = (buffer: ArrayBuffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
export const utf8 = (text: string) => new TextEncoder().encode(text);
export const base64Of = (buffer: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
/** As the service says 32 bytes in texts of its own. */
export const base64UrlOf = (buffer: ArrayBuffer) =>
  base64Of(buffer).replace(/\+/g, '-').replace(/\//g, '_').replace('=', '');

export const sha256 = (bytes: Uint8Array<ArrayBuffer>) => crypto.subtle.digest('SHA-256', bytes);
/** SHA-256 of a text, in hex. */
export const digestOf = async (text: string): Promise<string> => hexOf(await sha256(utf8(text)));

/** HMAC-SHA-256 of texts under a key in hex. */
export const signerWith = async (key: string) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', bytesOf(key), algorithm, false, ['sign']);
  return (text: string) => crypto.subtle.sign('HMAC', imported, utf8(text));
};
