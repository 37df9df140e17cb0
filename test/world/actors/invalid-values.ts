/** Values that make a request invalid: an unknown id, a payload with too many levels, and forbidden webhook URLs. */

/** A valid ULID that no user or webhook has. */
export const unknownUlid = '01JZZZZZZZZZZZZZZZZZZZZZZZ';

/** A webhook payload of 101 nested levels, which exceeds the maximum depth. */
export const deepPayload = `{"deep":${'['.repeat(100)}${']'.repeat(100)}}`;

/** Callback URLs that a deployed stage refuses when a webhook is registered. */
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
