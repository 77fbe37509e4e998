import type { WebhookRecord, WebhookStatus } from '#contracts/webhooks.ts';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/projects/index.ts';
import { presentWebhook } from './present.ts';

type ListWebhooks = { projectId: number; page: number; pageSize: number; status?: WebhookStatus | undefined };

export async function listWebhooks(ctx: AccountContext, input: ListWebhooks) {
  // A list that is empty says something else than a project that is not the caller's.
  await getProject(ctx, input.projectId);
  const records = ctx.db
    .selectFrom('webhook_records')
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', input.projectId)
    .$if(input.status !== undefined, (query) => query.where('status', '=', input.status as WebhookStatus));
  const { total } = await records.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await records
    .selectAll()
    .orderBy('id', 'desc')
    .limit(input.pageSize)
    .offset((input.page - 1) * input.pageSize)
    .execute();
  const data: WebhookRecord[] = rows.map(presentWebhook);
  return { data, total, page: input.page, pageSize: input.pageSize };
}
