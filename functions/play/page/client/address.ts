/** Returns the path of the play page without a trailing slash. */
export const playPath = () => location.pathname.replace(/\/+$/, '');

/** Returns the token of the play URL, which is the last segment of the page's path. */
export const tokenInUrl = () => playPath().split('/').pop()!;
