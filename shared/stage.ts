/** `local` runs on a developer's machine; the other stages are deployed to AWS. */
export const stages = ['local', 'staging', 'production'] as const;
export const debugStages: Stage[] = ['local', 'staging'];
export type Stage = (typeof stages)[number];

/** Number of seconds for which API Gateway caches the authorizer's result for an API key. */
export const authorizerTtlSeconds = 60;
