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

/** `192.0.2.7:5121` and `[2001:db8::1]:5121` without the port; any other text as it is. */
export function withoutPort(address: string): string {
  const [, v6, v4] = /^\s*(?:\[([\da-f:.]+)\](?::\d+)?|([\d.]+):\d+)\s*$/i.exec(address) ?? [];
  return v6 ?? v4 ?? address.trim();
}
