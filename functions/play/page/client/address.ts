/** The path of a play's page, to which that of its spin is added. */
export const playPath = () => location.pathname.replace(/\/+$/, '');

/** The token of the play URL that this page was opened with. */
export const tokenInUrl = () => playPath().split('/').pop()!;
