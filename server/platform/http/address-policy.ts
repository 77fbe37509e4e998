import ipaddr from 'ipaddr.js';

/** Why an address may not be called; undefined when it may. `address` is an IP address in any spelling. */
export function forbiddenAddressReason(address: string): string | undefined {
  const parsed = ipaddr.process(address);
  if (isOfCloud(parsed)) return `The address ${parsed.toString()} is the metadata service of a cloud and not allowed`;
  return isPublic(parsed) ? undefined : `The address ${parsed.toString()} is ${rangeName(parsed)} and not allowed`;
}

/** Public by its range, but answered by Azure's host to every machine there. The others' lie in ranges that are refused. */
const cloudAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

function isOfCloud(address: Address): boolean {
  return cloudAddresses.has((translatedAddress(address) ?? address).toString());
}

/**
 * Ports below 1024 belong to other services, as do these above: a receiver of webhooks speaks HTTP on 80, 443 or a port
 * of its own.
 */
const webPorts: ReadonlySet<number> = new Set([80, 443]);
const servicePorts: ReadonlySet<number> = new Set([
  1433, 1521, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5060, 5061, 5432, 5671, 5672, 5900, 5984,
  5985, 5986, 6000, 6379, 6380, 6443, 6665, 6666, 6667, 6668, 6669, 6697, 7000, 7001, 9042, 9092, 9200, 9300, 10250,
  11211, 15672, 26379, 27017, 27018, 27019, 50000,
]);

function isForbiddenPort(url: URL): boolean {
  if (url.port === '') return false;
  const port = Number(url.port);
  return !webPorts.has(port) && (port < 1024 || servicePorts.has(port));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function isPublic(address: Address): boolean {
  if (address.range() === 'unicast') return address.kind() === 'ipv4' || isGlobalUnicast(address as ipaddr.IPv6);
  const translated = translatedAddress(address);
  return translated?.range() === 'unicast';
}

/** The part of IPv6 assigned so far (RFC 4291 §2.4): the rest holds oddities such as `::127.0.0.1`. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return address.match(ipaddr.IPv6.parse('2000::'), 3);
}

/** 64:ff9b::/96 (RFC 6052) is how a host without IPv4 reaches the IPv4 address in its last four bytes. */
function translatedAddress(address: Address): ipaddr.IPv4 | undefined {
  if (address.kind() !== 'ipv6' || !address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

const rangeNames: Readonly<Record<string, string>> = {
  loopback: 'this machine',
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  carrierGradeNat: 'private',
  linkLocal: 'link-local',
  multicast: 'multicast',
};

function rangeName(address: Address): string {
  return rangeNames[(translatedAddress(address) ?? address).range()] ?? 'reserved';
}

/** The IP address that a URL names literally, without brackets; undefined for a host name. */
function literalAddress(url: URL): string | undefined {
  // The URL parser has turned 0x7f.1, 2130706433 and their like into dotted decimals.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

/**
 * Why a webhook must not go to `text`, a sentence; undefined when it may, as far as can be seen without looking the
 * host up.
 */
export function forbiddenUrlReason(text: string, isPrivateAllowed: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'Enter a valid URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'The URL must start with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'The URL must not carry a user name or password';
  if (isPrivateAllowed) return undefined;
  if (isForbiddenPort(url)) {
    return `The port ${url.port} belongs to another service: use 80, 443, 8443 or another free one above 1023`;
  }
  const address = literalAddress(url);
  if (address !== undefined) return forbiddenAddressReason(address);
  // RFC 6761 §6.3: the name and all below it mean this machine.
  if (/(^|\.)localhost\.?$/.test(url.hostname)) return `The address ${url.hostname} is this machine and not allowed`;
  return undefined;
}
