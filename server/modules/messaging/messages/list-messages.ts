import type { z } from 'zod';
import type { Message, listMessages as contract } from '#contracts/messages.ts';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { presentMessage, storedStatuses } from './present.ts';

type ListMessages = z.output<typeof contract.query> & { projectId: number };
type Page = { data: Message[]; total: number; page: number; pageSize: number };

/** The records of a project, newest first. */
export async function listMessages(ctx: AccountContext, input: ListMessages): Promise<Page> {
  await getProject(ctx, input.projectId);
  const { page, pageSize, direction, status, search, campaign_id: campaignId, flow_id: flowId } = input;
  // A search without a digit is for no number there is.
  const number = search?.replaceAll(/\D/g, '') || search?.replaceAll(/[\\%_]/g, '');
  const matching = ctx.db
    .selectFrom('messages')
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', input.projectId)
    .$if(direction !== undefined, (query) => query.where('direction', '=', direction ?? 'outgoing'))
    .$if(status !== undefined, (query) => query.where('status', 'in', storedStatuses(status ?? 'pending')))
    .$if(campaignId !== undefined, (query) => query.where('campaign_id', '=', campaignId ?? null))
    .$if(flowId !== undefined, (query) => query.where('flow_id', '=', flowId ?? null))
    .$if(search !== undefined && search !== '', (query) =>
      query.where(({ eb, or }) => or([eb('recipient', 'like', `%${number}%`), eb('sender', 'like', `%${number}%`)])),
    );
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .orderBy('id', 'desc')
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute(),
    matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { data: rows.map(presentMessage), total, page, pageSize };
}
