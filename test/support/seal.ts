import { callKms, sealKeyArn } from '../../infra/develop/local/aws/kms.ts';
import type { Item } from '../../shared/table/client.ts';
import { packed, unpacked } from '../../shared/table/codec.ts';
import { isSealed, sealedBy } from '../../shared/table/seals.ts';

const input = { KeyId: sealKeyArn, MacAlgorithm: 'HMAC_SHA_256', Message: btoa('seals') };
const key = Buffer.from((callKms('GenerateMac', input) as { Mac: string }).Mac, 'base64');

/** Returns an item as read from the table, with the seal of the local stage and of simulated worlds. */
export const sealedHere = (item: Item): Item =>
  isSealed(item) ? unpacked(packed(sealedBy(item, key))) : item;
