export const playUrlPath = () => location.pathname.replace(/\/+$/, '');

export const tokenInUrl = () => playUrlPath().split('/').pop()!;
