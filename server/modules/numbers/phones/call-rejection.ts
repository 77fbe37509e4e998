import type { Context } from '#server/context.ts';

type Phone = { accountId: number; phoneId: number };

/** The setting of a phone for calls; nothing once it is gone. */
export async function findCallRejection(
  { db }: Pick<Context, 'db'>,
  { accountId, phoneId }: Phone,
): Promise<{ rejects_calls: boolean; rejected_call_text: string | null } | undefined> {
  return db
    .selectFrom('phones')
    .select(['rejects_calls', 'rejected_call_text'])
    .where('account_id', '=', accountId)
    .where('id', '=', phoneId)
    .executeTakeFirst();
}

export const rejectsCalls = async (ctx: Pick<Context, 'db'>, phone: Phone): Promise<boolean> =>
  (await findCallRejection(ctx, phone))?.rejects_calls === true;
