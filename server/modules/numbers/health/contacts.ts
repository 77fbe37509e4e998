import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { countryOf } from './daytime.ts';
import type { Recipient } from './may-send.ts';

/** Contact between a phone and a number, by the phone's id; a missing phone has had none. */
export type Acquaintance = { wroteAt: Date | null; refusedAt: Date | null };

/** By number, then by phone. */
export type Contacts = ReadonlyMap<string, ReadonlyMap<number, Acquaintance>>;

export async function loadContacts(
  ctx: Pick<Context, 'db'>,
  phoneIds: readonly number[],
  numbers: readonly string[],
): Promise<Contacts> {
  if (phoneIds.length === 0 || numbers.length === 0) return new Map();
  const { rows } = await sql<{ number: string; phone_id: number; wrote_at: Date | null; refused_at: Date | null }>`
    /* prepared: load-contacts */
    select n.number, c.phone_id, c.wrote_at, c.refused_at
      from (select distinct unnest(${numbers}::text[]) as number) n
     cross join unnest(${phoneIds}::bigint[]) as p (id)
      join phone_contacts c on c.phone_id = p.id and c.phone_key = phone_key(n.number)
  `.execute(ctx.db);
  return new Map(
    [...Map.groupBy(rows, ({ number }) => number)].map(([number, ofNumber]) => [
      number,
      new Map(ofNumber.map((row) => [row.phone_id, { wroteAt: row.wrote_at, refusedAt: row.refused_at }] as const)),
    ]),
  );
}

/** How a number stands with one phone. */
export function recipientOf(contacts: Contacts, phoneId: number, number: string): Recipient {
  const acquaintance = contacts.get(number)?.get(phoneId);
  const isKnown = Boolean(acquaintance?.wroteAt);
  return {
    contact: isKnown ? 'known' : 'first',
    country: countryOf(number),
    mustWriteFirst: Boolean(acquaintance?.refusedAt),
  };
}

/** The phone that a number wrote to last, among these. */
export function lastWrittenTo(contacts: Contacts, number: string, phoneIds: readonly number[]): number | undefined {
  const known = [...(contacts.get(number) ?? [])].flatMap(([phoneId, { wroteAt }]) =>
    wroteAt && phoneIds.includes(phoneId) ? [{ phoneId, at: wroteAt.getTime() }] : [],
  );
  return known.toSorted((a, b) => b.at - a.at || a.phoneId - b.phoneId)[0]?.phoneId;
}
