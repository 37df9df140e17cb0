/** IP addresses for the DNS names of simulated webhook receivers. */
import type { Random } from '../../support/random.ts';

/** Internal and reserved IP addresses. The service must never call them. */
export const internalAddresses: readonly string[] = [
  '10.0.0.5',
  '100.64.1.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.3.4',
  '192.168.1.10',
  '198.18.0.7',
  '224.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:10.0.0.5',
  '64:ff9b::a9fe:a9fe',
  'fc00::5',
  'fd00:ec2::254',
  'fe80::1',
  '2001:db8::1',
  '2002:a00:1::',
];

/** Returns a random public IP address, version 4 or 6. */
export const publicAddress = (random: Random): string =>
  random.chance(0.8) ? publicIpv4(random) : publicIpv6(random);

export const publicIpv4 = (random: Random): string =>
  [random.pick([8, 34, 52, 93]), random.below(256), random.below(256), 1 + random.below(254)].join('.');

export const publicIpv6 = (random: Random): string =>
  `2606:4700:${(1 + random.below(0xfff)).toString(16)}::${(1 + random.below(0xffff)).toString(16)}`;
