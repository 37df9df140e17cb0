/** Signs books with an Ed25519 key in KMS. */
import { GetPublicKeyCommand, SignCommand } from '@aws-sdk/client-kms';
import { kms } from './aws.ts';
import { requiredVariable } from './environment.ts';
import { formatNote, type NoteSigner, rawPublicKey, verifierKeyOf } from './note.ts';
import { promiseCache } from './promises.ts';

const remembered = promiseCache<NoteSigner>(1);

const signer = (): Promise<NoteSigner> =>
  remembered('signer', async () => {
    const { PublicKey } = await kms().send(
      new GetPublicKeyCommand({ KeyId: requiredVariable('BOOK_KEY_ARN') }),
    );
    return { name: 'incentives', publicKey: rawPublicKey(PublicKey!) };
  });

/** Signs a text with the KMS key. The same text gives the same note, because Ed25519 is deterministic. */
export async function signNote(text: string): Promise<{ note: string; key: string }> {
  const [identity, { Signature }] = await Promise.all([
    signer(),
    kms().send(
      new SignCommand({
        KeyId: requiredVariable('BOOK_KEY_ARN'),
        Message: Buffer.from(text),
        MessageType: 'RAW',
        SigningAlgorithm: 'ED25519_SHA_512',
      }),
    ),
  ]);
  return { note: formatNote(text, identity, Signature!), key: verifierKeyOf(identity) };
}
