import type { Context } from '#server/context.ts';

/** A link in the message of an entry of a ledger. */
export type LinkOfEntry = { linkId: number; entryKey: number };

/** A link of no message, as long as any: for previews. */
export const exampleLink: LinkOfEntry = { linkId: 0, entryKey: 0 };

export const isExample = ({ linkId }: LinkOfEntry): boolean => linkId === exampleLink.linkId;

const linkBytes = 4;
const keyBytes = 7;

/** The 22 characters of a short address. */
export function sealLink({ secrets }: Pick<Context, 'secrets'>, { linkId, entryKey }: LinkOfEntry): string {
  const content = Buffer.alloc(linkBytes + keyBytes);
  content.writeUInt32BE(linkId, 0);
  content.writeUIntBE(Math.floor(entryKey / 2 ** 32), linkBytes, keyBytes - 4);
  content.writeUInt32BE(entryKey % 2 ** 32, linkBytes + keyBytes - 4);
  return secrets.short('links').seal(content);
}

/** Undefined for an address that was not made here. */
export function openLink({ secrets }: Pick<Context, 'secrets'>, code: string): LinkOfEntry | undefined {
  const content = secrets.short('links').open(code);
  if (!content) return undefined;
  const high = content.readUIntBE(linkBytes, keyBytes - 4);
  const entryKey = high * 2 ** 32 + content.readUInt32BE(linkBytes + keyBytes - 4);
  return { linkId: content.readUInt32BE(0), entryKey };
}
