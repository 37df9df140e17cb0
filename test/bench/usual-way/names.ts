/** Names of the tables that the usual way to write a credit uses. */
export const idempotencyTable = 'usual-way-idempotency';
export const usersTable = 'usual-way-users';
export const transactionsTable = 'usual-way-transactions';
