import type { Context } from '#server/context.ts';
import { isFullNumber } from '#contracts/understand-number.ts';

type Owner = { accountId: number; phone: string };

const accountBytes = 4;
const phoneBytes = 7;

/** The page on which a number decides what it gets; `phone` is in digits. */
export function preferencesUrl({ config, secrets }: Context, { accountId, phone }: Owner): string {
  const content = Buffer.alloc(accountBytes + phoneBytes);
  content.writeUInt32BE(accountId, 0);
  content.writeUIntBE(Math.floor(Number(phone) / 2 ** 32), accountBytes, phoneBytes - 4);
  content.writeUInt32BE(Number(phone) % 2 ** 32, accountBytes + phoneBytes - 4);
  return `${config.publicUrl}/p/${secrets.short('preferences').seal(content)}`;
}

/** The number that a page is of; undefined for an address that was not made here. */
export function readPreferencesToken({ secrets }: Pick<Context, 'secrets'>, token: string): Owner | undefined {
  const content = secrets.short('preferences').open(token);
  if (!content) return undefined;
  const high = content.readUIntBE(accountBytes, phoneBytes - 4);
  const phone = String(high * 2 ** 32 + content.readUInt32BE(accountBytes + phoneBytes - 4));
  return isFullNumber(phone) ? { accountId: content.readUInt32BE(0), phone } : undefined;
}
