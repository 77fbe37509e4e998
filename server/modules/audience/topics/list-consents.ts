import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { listConsents as contract } from '#contracts/topics.ts';
import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { presentConsent } from './number-topics.ts';

type ListConsents = EndpointInput<typeof contract>['query'] & { topicId: number };

/** Throws 404. */
export async function listConsents(
  ctx: AccountContext,
  { topicId, state, search = '', after, limit }: ListConsents,
): Promise<EndpointResponse<typeof contract>> {
  const topic = await ctx.db
    .selectFrom('topics')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', topicId)
    .executeTakeFirst();
  if (!topic) throw new NotFoundError('Topic');
  const digits = search.replaceAll(/\D/g, '');
  if (search !== '' && digits === '') return { data: [], next_cursor: null };
  let query = ctx.db
    .selectFrom('topic_consents')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('topic_id', '=', topicId);
  if (state !== undefined) query = query.where('state', '=', state);
  if (digits !== '') query = query.where('phone', 'like', search.startsWith('+') ? `${digits}%` : `%${digits}%`);
  if (after !== undefined) query = query.where('id', '<', after);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const nextCursor = rows.length > limit ? String(page.at(-1)?.id ?? '') : null;
  return { data: page.map(presentConsent), next_cursor: nextCursor };
}
