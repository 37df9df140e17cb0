/**
 * Decides which addresses the service may call: only public ones, so that no callback can reach internal
 * systems (SSRF).
 */
import { lookup as resolveName } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

type Subnet = [address: string, prefix: number];

// Address ranges that the service never calls: IANA's special-purpose ranges and cloud providers' ranges. In
// IPv6, only 2000::/3 is public.
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
let cachedRules: Rules | undefined;

function rules(): Rules {
  if (cachedRules) return cachedRules;
  cachedRules = { never: new BlockList(), global: new BlockList(), loopback: new BlockList() };
  for (const subnet of neverIpv4) cachedRules.never.addSubnet(...subnet, 'ipv4');
  for (const subnet of neverIpv6) cachedRules.never.addSubnet(...subnet, 'ipv6');
  cachedRules.global.addSubnet('2000::', 3, 'ipv6');
  cachedRules.loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  return cachedRules;
}

// Matches ISATAP addresses, which look public but can embed a private IPv4 address (RFC 5214, 6.1).
const isatap = /:(0|200)?:5efe:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/;

/** Takes the address as text, without brackets or zone. */
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

export function mayCall(address: string, stage: string | undefined): boolean {
  return isPublicAddress(address) || (stage === 'local' && isLoopback(address));
}

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

/** `guardedLookup` checks host names at each call. */
export function isCallableUrl(text: string, stage: string | undefined): boolean {
  // Rejects a URL with surrounding white space, which the URL parser would ignore.
  const url = text === text.trim() && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username || url.password) return false;
  if (url.protocol !== 'https:' && !(stage === 'local' && url.protocol === 'http:')) return false;
  const host = hostOf(url);
  if (host === '') return false;
  if (isIP(host)) return mayCall(host, stage);
  if (/(^|\.)localhost$/i.test(host)) return stage === 'local';
  return true;
}

/** The error for an address that must not be called. */
export class NotPublic extends Error {
  override name = 'NotPublic';
  constructor() {
    super('the address is not public');
  }
}

export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;
const resolveAll: Resolve = (name) => resolveName(name, { all: true, verbatim: true });

/** Creates a DNS lookup that fails if an address is forbidden. Callers must check IP addresses in URLs themselves. */
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
