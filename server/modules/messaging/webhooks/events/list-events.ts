import type { ProjectEvent } from '#contracts/webhook-endpoints.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { unpackJson } from '#server/platform/db/packed-json.ts';
import type { WebhookPayload } from '#contracts/webhooks.ts';

type ListEvents = { projectId: number; after_sequence: number; limit: number };

/** Events after a sequence, oldest first. Counts are locked until their events are committed: none is passed over. */
export async function listEvents(
  ctx: AccountContext,
  { projectId, after_sequence: after, limit }: ListEvents,
): Promise<{ data: ProjectEvent[]; next_after: number }> {
  await getProject(ctx, projectId);
  const rows = await ctx.db
    .selectFrom('webhook_records')
    .select(['sequence', 'event_id', 'payload'])
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', projectId)
    .where('is_event', '=', true)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  const mayRead = isPermitted(ctx.actor, 'messages:read');
  const data = rows.flatMap(({ sequence, event_id, payload }): ProjectEvent[] => {
    if (sequence === null) return [];
    const { type, timestamp, data: about } = JSON.parse(unpackJson(payload)) as WebhookPayload;
    return [{ sequence, event_id, type, timestamp, data: mayRead ? about : null }];
  });
  return { data, next_after: data.at(-1)?.sequence ?? after };
}
