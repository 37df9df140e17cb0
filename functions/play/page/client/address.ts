export const playPath = () => location.pathname.replace(/\/+$/, '');

export const tokenInUrl = () => playPath().split('/').pop()!;
