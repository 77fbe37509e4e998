import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';

/** After so long without a sign-in, a person is a stranger to a network again. */
const rememberedMs = 90 * 86_400_000;

export function rememberedSince(now: Date): Date {
  return new Date(now.getTime() - rememberedMs);
}

/** Whether the person has signed in from the caller's network. An unknown person costs the same query. */
export async function isKnownNetwork(ctx: Context, userId: number | undefined, ip: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('sign_in_networks')
    .select('account_id')
    .where('account_id', '=', userId ?? 0)
    .where('network', '=', clientNetwork(ip))
    .where('last_at', '>', rememberedSince(ctx.clock.now()))
    .executeTakeFirst();
  return row !== undefined;
}

export async function rememberNetwork(tx: Tx, userId: number, ip: string): Promise<void> {
  await sql`
    insert into sign_in_networks (account_id, network, last_at)
    values (${userId}, ${clientNetwork(ip)}, ${tx.clock.now()})
    on conflict (account_id, network) do update set last_at = excluded.last_at
  `.execute(tx.db);
}
