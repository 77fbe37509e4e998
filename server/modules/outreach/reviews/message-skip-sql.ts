import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { maxCaptionLength, maxTextLength } from '#contracts/message-content.ts';
import { reviewedCodes } from '#contracts/reviews.ts';
import { isWindowOpen, windowedConnectors } from '#server/modules/numbers/phones/index.ts';
import type { Review } from '#contracts/reviews.ts';
import { blanks } from './placeholder-sql.ts';

/** Why a message that reads like this does not go, as `messageFor` decides; null where it does. */
export function messageSkipSql(
  filled: RawBuilder<string>,
  { hasFile }: { hasFile: boolean },
): RawBuilder<string | null> {
  if (hasFile) {
    return sql<string | null>`case when char_length(${filled}) > ${maxCaptionLength} then 'caption_too_long' end`;
  }
  return sql<string | null>`
    case when btrim(${filled}, ${blanks}) = '' then 'empty_message'
         when char_length(${filled}) > ${maxTextLength} then 'message_too_long' end`;
}

/** Whether every phone that would send is refused by WhatsApp until this number has written. */
export function mustWriteFirstSql(phoneIds: readonly number[], phone: RawBuilder<string>): RawBuilder<boolean> {
  if (phoneIds.length === 0) return sql<boolean>`false`;
  return sql<boolean>`
    phone_key(${phone}) in (select phone_key from phone_contacts
                             where phone_id = any(${phoneIds}::bigint[]) and refused_at is not null
                             group by phone_key having count(*) = ${phoneIds.length})`;
}

/** Whether every phone that would send takes nothing but templates to this number now. */
export function windowClosedSql(
  phoneIds: readonly number[],
  { phone, now }: { phone: RawBuilder<string>; now: Date },
): RawBuilder<boolean> {
  if (phoneIds.length === 0) return sql<boolean>`false`;
  return sql<boolean>`
    not exists (select from phones p
                 where p.id = any(${phoneIds}::bigint[])
                   and (p.connector <> all(${windowedConnectors}::text[])
                        or ${isWindowOpen(sql`p.id`, phone, now)}))`;
}

export const noSkips = (): Review['skipped'] =>
  Object.fromEntries(reviewedCodes.map((code) => [code, 0])) as Review['skipped'];

/** Adds up groups by their reason; null stands for those who get it. */
export function skipsOf(groups: readonly { reason: string | null; total: number }[]): Review['skipped'] {
  const skipped = noSkips();
  for (const { reason, total } of groups) {
    const code = reviewedCodes.find((each) => each === reason);
    if (code !== undefined) skipped[code] += total;
  }
  return skipped;
}

export const sumOfSkips = (skipped: Review['skipped']): number =>
  Object.values(skipped).reduce((sum, count) => sum + count, 0);
