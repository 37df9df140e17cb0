/** Signs books with an Ed25519 key in KMS. */
import { GetPublicKeyCommand, SignCommand } from '@aws-sdk/client-kms';
import { kms } from './aws.ts';
import { variable } from './environment.ts';
import { noteOf, publicKeyIn, type Signer, verifierKeyOf } from './note.ts';
import { cachedPromises } from './promises.ts';

const remembered = cachedPromises<Signer>(1);

const signer = (): Promise<Signer> =>
  remembered('signer', async () => {
    const { PublicKey } = await kms().send(new GetPublicKeyCommand({ KeyId: variable('BOOK_KEY_ARN') }));
    return { name: 'incentives', publicKey: publicKeyIn(PublicKey!) };
  });

/** Signs a text with the KMS key. The same text gives the same note, because Ed25519 is deterministic. */
export async function signNote(text: string): Promise<{ note: string; key: string }> {
  const [identity, { Signature }] = await Promise.all([
    signer(),
    kms().send(
      new SignCommand({
        KeyId: variable('BOOK_KEY_ARN'),
        Message: Buffer.from(text),
        MessageType: 'RAW',
        SigningAlgorithm: 'ED25519_SHA_512',
      }),
    ),
  ]);
  return { note: noteOf(text, identity, Signature!), key: verifierKeyOf(identity) };
}
