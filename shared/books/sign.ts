/** Signs books with the key in KMS. */
import { variable } from '../environment.ts';
import { callKms } from '../kms.ts';
import { rememberPromises } from '../promises.ts';
import { noteOf, publicKeyIn, type Signer, verifierKeyOf } from './note.ts';

const remembered = rememberPromises<Signer>(1);

/** Returns the signer of books, with the public half of the KMS key. */
const signer = (): Promise<Signer> =>
  remembered('signer', async () => {
    const { PublicKey } = await callKms<{ PublicKey: string }>(variable('BOOK_KEY_ARN'), 'GetPublicKey', {});
    return { name: 'incentives', publicKey: publicKeyIn(Buffer.from(PublicKey, 'base64')) };
  });

/**
 * Returns a text as a signed note, with the verifier key for checking it. Ed25519 is deterministic: the same
 * text gives the same note.
 */
export async function signNote(text: string): Promise<{ note: string; key: string }> {
  const [by, { Signature }] = await Promise.all([
    signer(),
    callKms<{ Signature: string }>(variable('BOOK_KEY_ARN'), 'Sign', {
      Message: Buffer.from(text).toString('base64'),
      MessageType: 'RAW',
      SigningAlgorithm: 'ED25519_SHA_512',
    }),
  ]);
  return { note: noteOf(text, by, Buffer.from(Signature, 'base64')), key: verifierKeyOf(by) };
}
