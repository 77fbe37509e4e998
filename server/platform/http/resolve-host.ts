import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { forbiddenAddressReason } from '#server/platform/http/address-policy.ts';

/** A webhook whose host may not be called: no later attempt can change that. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/** How a host name becomes addresses; rejects with the codes of `node:dns`. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Asks the name servers directly. The system's own lookup holds one of four threads for as long as a name server is
 * silent, so a few dead names would delay every other delivery.
 */
export function createPublicResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: 2000, tries: 3 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
  };
}

/** Knows the hosts file too, which is where names on a private network often live. */
export const resolveWithSystem: ResolveHost = (hostname) => lookup(hostname, { all: true });

/**
 * The `lookup` of a socket: it connects to the very addresses that were checked, so that a name which changes between
 * a check and the connection gains nothing.
 */
export function checkedLookup(resolveHost: ResolveHost, isPrivateAllowed: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(resolveHost, hostname, options, isPrivateAllowed).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else if (first) callback(null, first.address, first.family);
      },
      (fault: NodeJS.ErrnoException) => callback(fault, []),
    );
  };
}

async function resolveAllowed(
  resolveHost: ResolveHost,
  hostname: string,
  { family }: LookupOptions,
  isPrivateAllowed: boolean,
): Promise<LookupAddress[]> {
  const all = await resolveHost(hostname);
  const addresses = all.filter((address) => (family === 4 || family === 6 ? address.family === family : true));
  if (addresses.length === 0) throw Object.assign(new Error(`No address for ${hostname}`), { code: 'ENOTFOUND' });
  for (const { address } of isPrivateAllowed ? [] : addresses) {
    const reason = forbiddenAddressReason(address);
    if (reason !== undefined) throw new ForbiddenAddressError(reason);
  }
  return addresses;
}
