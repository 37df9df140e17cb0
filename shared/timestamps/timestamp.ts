/** Types of timestamps. The code that checks them is in `token.ts`, because few functions bundle it. */

/** A token of RFC 3161 in DER, and the certificate of the authority's root, which tokens often lack. */
export type Timestamp = { token: Uint8Array; root: Uint8Array };

export const inBase64 = ({ token, root }: Timestamp) => ({
  token: Buffer.from(token).toString('base64'),
  root: Buffer.from(root).toString('base64'),
});

export const maxTimestampTokenBytes = 32 * 1024;
