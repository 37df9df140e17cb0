/**
 * Content security policy for a page that loads resources only from its own origin. Other pages may not show
 * the page in a frame.
 */
export const ownOriginPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
