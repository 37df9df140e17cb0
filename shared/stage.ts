/** The stages of the service: one on a developer's machine, and those that are deployed. */
export const stages = ['local', 'staging', 'production'] as const;
export type Stage = (typeof stages)[number];
