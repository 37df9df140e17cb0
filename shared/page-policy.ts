/**
 * Content security policy of the documentation, the console and the demo: resources only from the page's origin, except
 * images in `data:` URLs, and no display in frames.
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
