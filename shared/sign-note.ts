/** Signs books with an Ed25519 key in KMS. */
import { variable } from './environment.ts';
import { callKms } from './kms.ts';
import { noteOf, publicKeyIn, type Signer, verifierKeyOf } from './note.ts';
import { cachedPromises } from './promises.ts';

const remembered = cachedPromises<Signer>(1);

/** The private key never leaves KMS. */
const signer = (): Promise<Signer> =>
  remembered('signer', async () => {
    const { PublicKey } = await callKms<{ PublicKey: string }>(variable('BOOK_KEY_ARN'), 'GetPublicKey', {});
    return { name: 'incentives', publicKey: publicKeyIn(Buffer.from(PublicKey, 'base64')) };
  });

/** Signs a text with the KMS key. The same text gives the same note, because Ed25519 is deterministic. */
export async function signNote(text: string): Promise<{ note: string; key: string }> {
  const [identity, { Signature }] = await Promise.all([
    signer(),
    callKms<{ Signature: string }>(variable('BOOK_KEY_ARN'), 'Sign', {
      Message: Buffer.from(text).toString('base64'),
      MessageType: 'RAW',
      SigningAlgorithm: 'ED25519_SHA_512',
    }),
  ]);
  return { note: noteOf(text, identity, Buffer.from(Signature, 'base64')), key: verifierKeyOf(identity) };
}
