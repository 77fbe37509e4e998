import { isFullNumber } from '#contracts/understand-number.ts';
import type { Context } from '#server/context.ts';
import { idsPerCell } from '#server/platform/db/cell-ids.ts';

type Owner = { accountId: number; phone: string };

const accountBytes = 4;
const phoneBytes = 7;
/** Numbers have 15 digits at most, and need no more than 50 of the 56 bits: the others have the number of the cell. */
const numbersPerCell = 2 ** 50;

/** The page on which a number decides what it gets; `phone` is in digits. */
export function preferencesUrl({ config, secrets }: Context, { accountId, phone }: Owner): string {
  const content = Buffer.alloc(accountBytes + phoneBytes);
  content.writeUInt32BE(accountId % idsPerCell, 0);
  const cell = Math.floor(accountId / idsPerCell);
  const combined = BigInt(cell) * BigInt(numbersPerCell) + BigInt(phone);
  content.writeUIntBE(Number(combined >> 32n), accountBytes, phoneBytes - 4);
  content.writeUInt32BE(Number(combined & 0xff_ff_ff_ffn), accountBytes + phoneBytes - 4);
  return `${config.publicUrl}/p/${secrets.short('preferences').seal(content)}`;
}

/** The number that a page is of; undefined for an address that was not made here. */
export function readPreferencesToken({ secrets }: Pick<Context, 'secrets'>, token: string): Owner | undefined {
  const content = secrets.short('preferences').open(token);
  if (!content) return undefined;
  const high = content.readUIntBE(accountBytes, phoneBytes - 4);
  const cell = Math.floor(high / (numbersPerCell / 2 ** 32));
  const ofNumber = high % (numbersPerCell / 2 ** 32);
  const phone = String(ofNumber * 2 ** 32 + content.readUInt32BE(accountBytes + phoneBytes - 4));
  return isFullNumber(phone) ? { accountId: cell * idsPerCell + content.readUInt32BE(0), phone } : undefined;
}
