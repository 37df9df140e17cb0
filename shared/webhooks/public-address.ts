/** Allows only public addresses, so that no callback can reach internal systems (SSRF). */
import { lookup as resolveName } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

// The only IPv6 addresses that IANA has assigned to the public.
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

// A service of Azure for its virtual machines, in a range that is otherwise public.
const azureService = '168.63.129.16';

// Matches ISATAP addresses, which look public but can embed a private IPv4 address (RFC 5214, 6.1).
const isatap = /:(0|200)?:5efe:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/;

/** Takes the address as text, without brackets or zone. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return address !== azureService;
  return parsed.match(publicIpv6) && !isatap.test(parsed.toRFC5952String());
}

function isLoopback(address: string): boolean {
  return isIP(address) > 0 && ipaddr.parse(address).range() === 'loopback';
}

export function mayCallAddress(address: string, stage: string | undefined): boolean {
  return isPublicAddress(address) || (stage === 'local' && isLoopback(address));
}

export function hostNameOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

/** Accepts every public host name: `guardedLookup` checks its addresses at each call. */
export function isCallableUrl(text: string, stage: string | undefined): boolean {
  // Rejects a URL with surrounding white space, which the URL parser would ignore.
  const url = text === text.trim() && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username || url.password) return false;
  if (url.protocol !== 'https:' && !(stage === 'local' && url.protocol === 'http:')) return false;
  const host = hostNameOf(url);
  if (host === '') return false;
  if (isIP(host)) return mayCallAddress(host, stage);
  if (/(^|\.)localhost$/i.test(host)) return stage === 'local';
  return true;
}

export class NotPublic extends Error {
  override name = 'NotPublic';
  constructor() {
    super('the address is not public');
  }
}

export type ResolveHost = (name: string) => Promise<{ address: string; family: number }[]>;
const resolveAll: ResolveHost = (name) => resolveName(name, { all: true, verbatim: true });

/** Creates a DNS lookup that fails if an address is forbidden. Callers must check IP addresses in URLs themselves. */
export function guardedLookup(stage: string | undefined, resolve: ResolveHost = resolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => mayCallAddress(address, stage))) {
          callback(new NotPublic(), []);
        } else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
