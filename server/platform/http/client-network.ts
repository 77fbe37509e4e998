import ipaddr from 'ipaddr.js';

/**
 * The network that limits count a caller by: the address itself, or the first 64 bits of an IPv6 address, as one
 * subscriber has all the rest of it.
 */
export function clientNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv6) {
    return `${address.parts
      .slice(0, 4)
      .map((part) => part.toString(16))
      .join(':')}::/64`;
  }
  return address.toString();
}
