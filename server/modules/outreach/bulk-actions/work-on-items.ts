import type { BulkActionName, BulkResource } from '#contracts/bulk-actions.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import {
  cancelCampaign,
  deleteCampaign,
  pauseCampaign,
  resumeCampaign,
} from '#server/modules/outreach/campaigns/index.ts';
import { deleteFlow, setFlowActive } from '#server/modules/outreach/flows/index.ts';
import { disconnectPhone, setPhoneActive } from '#server/modules/numbers/phones/index.ts';
import { deleteSegment } from '#server/modules/audience/segments/index.ts';
import { deleteTemplate } from '#server/modules/outreach/templates/index.ts';
import { inSavepoint } from '#server/platform/db/savepoint.ts';
import { ProblemError } from '#server/platform/errors.ts';
import type { ChunkResult } from './record.ts';

/** An undo; a change that only holds a thing until its action begins, or it is called off. */
type ItemOptions = { isUndo: boolean; isHold: boolean };

/** Whether it changed anything; throws a ProblemError that says why it cannot be done. */
type ItemAction = (ctx: AccountContext, id: number, options: ItemOptions) => Promise<boolean>;
type ItemResource = Exclude<BulkResource, 'profiles'>;

const changing =
  (verb: (ctx: AccountContext, id: number) => Promise<unknown>): ItemAction =>
  async (ctx, id) => {
    await verb(ctx, id);
    return true;
  };

const actions: Record<ItemResource, Partial<Record<BulkActionName, ItemAction>>> = {
  campaigns: {
    async pause(ctx, campaignId, { isHold }) {
      await pauseCampaign(ctx, { campaignId, isUntold: isHold });
      return true;
    },
    resume: changing((ctx, campaignId) => resumeCampaign(ctx, { campaignId })),
    cancel: changing((ctx, campaignId) => cancelCampaign(ctx, { campaignId })),
    delete: changing((ctx, campaignId) => deleteCampaign(ctx, { campaignId })),
  },
  flows: {
    // Nobody has seen who matches them all. An undo, though, restores the state before.
    activate: (ctx, flowId, { isUndo }) => setFlowActive(ctx, { flowId, active: true, skipCurrent: !isUndo }),
    deactivate: (ctx, flowId) => setFlowActive(ctx, { flowId, active: false }),
    delete: changing((ctx, flowId) => deleteFlow(ctx, { flowId })),
  },
  segments: { delete: changing((ctx, segmentId) => deleteSegment(ctx, { segmentId })) },
  templates: { delete: changing(deleteTemplate) },
  phones: {
    activate: (ctx, phoneId) => setPhoneActive(ctx, { phoneId, isActive: true }),
    deactivate: (ctx, phoneId) => setPhoneActive(ctx, { phoneId, isActive: false }),
    disconnect: changing((ctx, phoneId) => disconnectPhone(ctx, { phoneId })),
  },
};

type Item = { resource: BulkResource; action: BulkActionName; id: number } & Partial<ItemOptions>;

/** Does the action to one thing; what refuses it is a failure of that one. */
export async function changeItem(
  tx: Tx<AccountContext>,
  { resource, action, id, ...options }: Item,
): Promise<ChunkResult> {
  const change = resource === 'profiles' ? undefined : actions[resource][action];
  if (!change) throw new Error(`${resource} have no bulk action ${action}`);
  try {
    const isChanged = await inSavepoint(tx.db, () => change(tx, id, { isUndo: false, isHold: false, ...options }));
    return { changes: isChanged ? [{ item_id: id, tags: null, phone: null }] : [], failures: [] };
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status >= 500) throw error;
    return { changes: [], failures: [{ id, message: error.message }] };
  }
}
