/** Small words for the binary XML of the protocol: nodes, their children, addresses, ids. */
import { getBinaryNodeChild, getBinaryNodeChildren, jidDecode } from 'baileys';
import type { BinaryNode } from 'baileys';

export type { BinaryNode };

/** The address of WhatsApp's server itself, and the domain of addresses that are phone numbers. */
export const server = 's.whatsapp.net';

export function node(tag: string, attrs: Record<string, string> = {}, content?: BinaryNode['content']): BinaryNode {
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

export const child = (parent: BinaryNode | undefined, tag: string): BinaryNode | undefined =>
  getBinaryNodeChild(parent, tag);

export const children = (parent: BinaryNode | undefined, tag: string): BinaryNode[] =>
  getBinaryNodeChildren(parent, tag);

/** The first child, whatever it is called: in an iq it says what is asked. */
export function firstChild(parent: BinaryNode): BinaryNode | undefined {
  return Array.isArray(parent.content) ? parent.content[0] : undefined;
}

export function bytesOf(from: BinaryNode | undefined): Buffer {
  return from?.content instanceof Uint8Array ? Buffer.from(from.content) : Buffer.alloc(0);
}

export const unsignedOf = (from: BinaryNode | undefined): number => toUnsigned(bytesOf(from));

export function toUnsigned(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

export type Address = { user: string; domain: string; device: number };

export function parseAddress(jid: string): Address {
  const decoded = jidDecode(jid);
  if (!decoded) throw new Error(`not an address: ${jid}`);
  return { user: decoded.user, domain: decoded.server, device: decoded.device ?? 0 };
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

let issued = 0;

export function newId(prefix: string): string {
  issued += 1;
  return `${prefix}${Date.now().toString(16)}${issued.toString(16).padStart(6, '0')}`.toUpperCase();
}
