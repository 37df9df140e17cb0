/** Tables of the usual way. */
export const idempotencyTable = 'usual-way-idempotency';
export const usersTable = 'usual-way-users';
export const transactionsTable = 'usual-way-transactions';
