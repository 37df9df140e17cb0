/** Stages of the service. `local` runs on a developer's machine; the other stages are deployed to AWS. */
export const stages = ['local', 'staging', 'production'] as const;
/** Stages with debug routes. On these, hosts can force results of plays, run queued spins early and ask for faults. */
export const debugStages: Stage[] = ['local', 'staging'];
export type Stage = (typeof stages)[number];

/** Number of seconds for which API Gateway caches the authorizer's result for an API key. */
export const authorizerTtlSeconds = 60;
