/** Mutants of the code that behave exactly like the original, so that no test can detect them. */
export type Equivalent = {
  file: string;
  /** Part of the source line on which the mutant begins. */
  line: string;
  /** Replacement text of the mutant. If absent, the entry applies to all mutants on the line. */
  replacement?: string;
  reason: string;
};

export const equivalents: Equivalent[] = [
  {
    file: 'shared/payouts/check-payouts.ts',
    line: 'fields: [...talliedFields]',
    replacement: '[]',
    reason: 'Reads whole items: the same result, for more bytes.',
  },
  {
    file: 'shared/payouts/check-payouts.ts',
    line: 'tables.set(version, table)',
    reason: 'The map is a cache: without it a table is read again.',
  },
  {
    file: 'shared/amoe/drand.ts',
    line: '/^[0-9a-f]{192}$/.test(text)',
    replacement: '/^[0-9a-f]{192}/',
    reason: 'The curve refuses a longer key.',
  },
  {
    file: 'shared/amoe/drand.ts',
    line: 'verified.set(key, randomness)',
    replacement: ';',
    reason: 'The map is a cache: without it a signature is verified again.',
  },
  {
    file: 'shared/amoe/relays.ts',
    line: '} catch {',
    replacement: '{}',
    reason: 'A function without a return also returns undefined.',
  },
  {
    file: 'shared/amoe/spin-orders.ts',
    line: "idempotencyOf(request, 'queue')",
    replacement: '""',
    reason: 'Any label tells queued spins from guest spins, because it only goes into a digest.',
  },
  {
    file: 'infra/operate/console/bridge.ts',
    line: "mkdtemp(join(tmpdir(), 'incentives-console-'))",
    replacement: '""',
    reason: 'The prefix only tells people what the folder is for.',
  },
  {
    file: 'infra/operate/console/bridge.ts',
    line: '{ mode: 0o600 }',
    reason: 'Only the owner can enter the folder.',
  },
  {
    file: 'shared/table/client.ts',
    line: 'expectSeals(keys, reading);',
    replacement: ';',
    reason: 'Fetches the key of seals early: otherwise the first sealed item fetches it.',
  },
];
