/** Returns the path of the play page without a trailing slash. */
export const playPath = () => location.pathname.replace(/\/+$/, '');

/** Returns the token of the play URL that opened this page. */
export const tokenInUrl = () => playPath().split('/').pop()!;
