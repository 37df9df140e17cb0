/** Recognizes images by their first bytes. SVG is allowed: browsers run no scripts in an SVG shown as an image. */
const fileSignatures: Record<string, (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
  'image/jpeg': (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff',
  'image/webp': (bytes) => /^RIFF[\s\S]{4}WEBP/.test(bytes.subarray(0, 12).toString('latin1')),
  'image/svg+xml': (bytes) => /^(<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*<svg[\s>]/.test(bytes.toString()),
};

export const imageTypeOf = (bytes: Buffer): string | undefined =>
  Object.keys(fileSignatures).find((type) => fileSignatures[type]!(bytes));

export function isImageData(text: string): boolean {
  const [, type, data = ''] = /^data:(image\/[a-z+]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  return type !== undefined && imageTypeOf(Buffer.from(data, 'base64')) === type;
}
