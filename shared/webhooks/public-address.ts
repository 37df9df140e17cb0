/** Which addresses the service calls: public ones, so that no callback can be used to reach inside. */
import { lookup as resolveName } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

type Subnet = [address: string, prefix: number];

// IANA's special-purpose registry, and what clouds keep for themselves. Most of 2000::/3 is public, and
// nothing else of IPv6 is: embedded IPv4 (mapped, compatible, NAT64), local and link-local all lie outside.
const neverIpv4: Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
const neverIpv6: Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

type Rules = { never: BlockList; global: BlockList; loopback: BlockList };
let made: Rules | undefined;

function rules(): Rules {
  if (made) return made;
  made = { never: new BlockList(), global: new BlockList(), loopback: new BlockList() };
  for (const subnet of neverIpv4) made.never.addSubnet(...subnet, 'ipv4');
  for (const subnet of neverIpv6) made.never.addSubnet(...subnet, 'ipv6');
  made.global.addSubnet('2000::', 3, 'ipv6');
  made.loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  return made;
}

// ISATAP carries an IPv4 address in the last half of an address that looks public (RFC 5214, 6.1).
const isatap = /:(0|200)?:5efe:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/;

/** Whether an IP address (its usual text, without brackets or zone) is a public one. */
export function isPublicAddress(address: string): boolean {
  const { never, global } = rules();
  if (isIP(address) === 4) return !never.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  const shortest = hostOf(new URL(`http://[${address}]`));
  return global.check(shortest, 'ipv6') && !never.check(shortest, 'ipv6') && !isatap.test(shortest);
}

function isLoopback(address: string): boolean {
  const { loopback } = rules();
  return isIP(address) === 4 ? loopback.check(address, 'ipv4') : address === '::1';
}

/** Whether the service may call an address on a stage: a public one, and on the local stage a loopback one too. */
export function mayCall(address: string, stage: string | undefined): boolean {
  return isPublicAddress(address) || (stage === 'local' && isLoopback(address));
}

/** The host of a URL as an address or name: without the brackets of IPv6 and without dots at its end. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

/**
 * Whether a text can be a webhook's URL on a stage: https, no user info, no address that is not public in any
 * spelling, no name of this machine. The local stage takes http and loopback too. What a name stands for is looked
 * at again whenever it is called.
 */
export function isCallableUrl(text: string, stage: string | undefined): boolean {
  // A URL's parser passes over white space around it.
  const url = text === text.trim() && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username || url.password) return false;
  if (url.protocol !== 'https:' && !(stage === 'local' && url.protocol === 'http:')) return false;
  const host = hostOf(url);
  if (host === '') return false;
  if (isIP(host)) return mayCall(host, stage);
  if (/(^|\.)localhost$/i.test(host)) return stage === 'local';
  return true;
}

/** An address that must not be called; the message is safe to show. */
export class NotPublic extends Error {
  override name = 'NotPublic';
  constructor() {
    super('the address is not public');
  }
}

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;
const resolveAll: Resolve = (name) => resolveName(name, { all: true, verbatim: true });

/**
 * A `lookup` for a socket that returns a name's addresses only if every one of them may be called, so that what is
 * dialled is what was checked. Sockets do not ask it for a host that is an address: check those before.
 */
export function guardedLookup(stage: string | undefined, resolve: Resolve = resolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => mayCall(address, stage))) {
          callback(new NotPublic(), []);
        } else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
