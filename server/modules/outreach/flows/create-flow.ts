import type { Flow, NewFlow } from '#contracts/flows.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import { takeCarried } from '#server/modules/messaging/media/index.ts';
import { holdProject } from '#server/modules/identity/projects/index.ts';
import { noOutcomes } from '#server/modules/outreach/outcomes/index.ts';
import { takeTemplate } from '#server/modules/outreach/recipients/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { flowNotification } from './channels.ts';
import { presentFlow } from './present.ts';
import { setRules } from '#server/modules/audience/topics/index.ts';
import { narrowedTo } from '#server/scope.ts';
import { columnsOf, givenAudience } from './running/audience.ts';
import { requireFlowAudience } from './require-flow-audience.ts';

/** An active one runs at once. Throws 404 for a project that is not the caller's, 422 for a field that nobody has. */
export async function createFlow(ctx: AccountContext, input: NewFlow): Promise<Flow> {
  return inTransaction(ctx, async (tx) => {
    await holdProject(tx, input.action.projectId);
    const audience = givenAudience(input);
    await requireFlowAudience(tx, { audience, isAnyAllowed: input.allow_unknown ?? false });
    const now = tx.clock.now();
    const asked = input.action.media;
    const media = asked ? await takeCarried(tx, { media: asked, path: 'action.media' }) : null;
    const template = await takeTemplate(tx, {
      projectId: input.action.projectId,
      template: input.action.template,
      path: 'action.template',
    });
    const row = await tx.db
      .insertInto('flows')
      .values({
        account_id: tx.account.id,
        project_id: input.action.projectId,
        name: input.name,
        message: input.action.message,
        media,
        template,
        ...columnsOf(audience),
        audience_project_ids: narrowedTo(tx),
        frequency: JSON.stringify(input.frequency),
        is_active: input.active,
        next_run_at: input.active ? now : null,
        paced_until: now,
        guards_keyed_until: null,
        skip_before: input.active && input.skip_current ? now : null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const rules = await setRules(tx, { source: 'flow', sourceId: row.id }, { given: input });
    await notify(tx.db, [
      ...liveNotifications(tx.account.id, { type: 'flows.changed', flow_id: row.id }),
      flowNotification({ kind: 'due' }),
    ]);
    return presentFlow({ ...row, outcomes: noOutcomes, rules, clicked: 0 });
  });
}
