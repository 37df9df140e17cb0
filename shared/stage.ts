/** Stages of the service. `local` runs on a developer's machine; the other stages are deployed to AWS. */
export const stages = ['local', 'staging', 'production'] as const;
export type Stage = (typeof stages)[number];
