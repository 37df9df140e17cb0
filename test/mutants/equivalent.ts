/** Mutants that change nothing that anybody can notice, so that no test can detect them. */
export type Equivalent = {
  file: string;
  /** Part of the line on which the mutant begins. */
  line: string;
  /** Text of the mutant; every mutant of the line if missing. */
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
];
