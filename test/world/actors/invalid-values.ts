/** Values that look valid but are not. */

/** A ULID that nothing has. */
export const unknownUlid = '01JZZZZZZZZZZZZZZZZZZZZZZZ';

/** A payload that exceeds the maximum nesting depth. */
export const deepPayload = `{"deep":${'['.repeat(100)}${']'.repeat(100)}}`;

/** URLs that a deployed stage refuses for webhooks. */
export const badUrls: readonly unknown[] = [
  undefined,
  null,
  '',
  'hooks.example',
  'http://hooks.example/',
  'ftp://hooks.example/',
  ' https://hooks.example/',
  'https://user@hooks.example/',
  'https://user:word@hooks.example/',
  'https://localhost/',
  'https://sub.LOCALHOST./',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  `https://hooks.example/${'x'.repeat(2048)}`,
];
