import { sql } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { TooManyRequestsError } from '#server/platform/errors.ts';

/** WhatsApp restricts accounts that ask about many numbers. */
const lookUpsPerDay = 200;

/** Counts a question of today (UTC), however many ask at once. Throws 429 `look_ups_used_up`. */
export async function useLookUp(ctx: AccountContext, phoneId: number): Promise<void> {
  const now = ctx.clock.now();
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into number_look_ups as l (account_id, phone_id, day, count) values (${ctx.account.id}, ${phoneId}, ${day}, 1)
    on conflict (phone_id) do update
       set day = excluded.day, count = case when l.day = excluded.day then l.count + 1 else 1 end
     where l.day <> excluded.day or l.count < ${lookUpsPerDay}
    returning phone_id
  `.execute(ctx.db);
  if (rows.length > 0) return;
  const tomorrow = Date.parse(day) + 24 * 60 * 60_000;
  throw new TooManyRequestsError(
    'look_ups_used_up',
    `This phone number has asked about ${lookUpsPerDay} numbers today, as many as it may: WhatsApp restricts accounts ` +
      `that ask about more. It may ask again from ${new Date(tomorrow).toISOString()}.`,
    (tomorrow - now.getTime()) / 1000,
  );
}
