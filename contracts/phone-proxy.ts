import { z } from 'zod';

const schemes = new Set(['http:', 'https:', 'socks5:']);
const example = 'Enter an address such as socks5://user:password@proxy.example.com:1080';

/**
 * A proxy as `scheme://user:password@host:port`. The host is written as browsers read it, whatever the scheme: `0x7f.1`
 * comes out as 127.0.0.1. Undefined where it is none.
 */
export function parseProxy(text: string): { url: string; shown: string } | undefined {
  const [scheme = '', rest = ''] = text.split(/:\/\/(.*)/s, 2);
  const protocol = `${scheme.toLowerCase()}:`;
  const parsed = URL.parse(`http://${rest}`);
  if (!schemes.has(protocol) || !parsed || parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '') {
    return undefined;
  }
  const port = portOf(rest, protocol);
  if (port === undefined) return undefined;
  const host = `${parsed.hostname}:${port}`;
  const { username, password } = parsed;
  const credentials = username === '' && password === '' ? '' : `${username}:${password}@`;
  return { url: `${protocol}//${credentials}${host}`, shown: `${protocol}//${host}` };
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080 };

/** URLs leave out the port that is usual for their scheme, and here the scheme is another. */
function portOf(rest: string, protocol: string): number | undefined {
  const written = /:(\d{1,5})\/?$/.exec(rest.replace(/^.*@/s, ''))?.[1];
  const port = written === undefined ? defaultPorts[protocol] : Number(written);
  return port !== undefined && port >= 1 && port <= 65_535 ? port : undefined;
}

/** `http://`, `https://` or `socks5://`, with user name and password where it asks for them. */
export const ProxyUrl = z
  .string()
  .trim()
  .max(500, 'Use at most 500 characters')
  .refine((text) => parseProxy(text) !== undefined, example);
