export const region = 'us-east-1';
export const accountId = '000000000000';

export const queueArn = (name: string) => `arn:aws:sqs:${region}:${accountId}:${name}`;
export const functionArn = (name: string) => `arn:aws:lambda:${region}:${accountId}:function:${name}`;

export function parseArn(arn: string): { service: string; name: string } {
  const [, , service = '', , , ...rest] = arn.split(':');
  return { service, name: (service === 'lambda' ? rest[1] : rest[0]) ?? '' };
}
