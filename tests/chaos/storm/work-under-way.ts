import { createCampaign } from '#contracts/campaigns.ts';
import { createFlow, updateFlow } from '#contracts/flows.ts';
import type { StormScene } from './storm-scene.ts';

/** The campaigns and flows, of which one each is under way whenever a step begins. */
export type WorkUnderWay = {
  campaigns: { id: number; message: string }[];
  flows: { id: number; isActive: boolean }[];
};

/** Minutes. Long enough for several steps; in a short storm it goes as fast as it can. */
const spreadMinutes = 1;

/** How many messages of its kind are settled. */
async function settledOf({ cluster }: StormScene, column: 'campaign_id' | 'flow_id', id: number): Promise<number> {
  const [row] = await cluster.query<{ count: number }>(
    `select count(*)::int as count from messages where ${column} = $1 and status <> 'pending'`,
    [id],
  );
  return row?.count ?? 0;
}

/**
 * Starts another campaign, and another flow, where the last has nothing left to do. A short storm has no flows: one whose
 * run was cut off goes on after a minute.
 */
export async function keepBusy(scene: StormScene, work: WorkUnderWay, { isLong }: { isLong: boolean }) {
  const { shop, florist, profileCount } = scene;
  const campaign = work.campaigns.at(-1);
  if (!campaign || (await settledOf(scene, 'campaign_id', campaign.id)) >= profileCount) {
    const message = `Campaign ${work.campaigns.length + 1} for {name}`;
    const { body } = await shop.api().call(createCampaign, {
      body: {
        name: 'Storm',
        project_id: shop.projectId,
        segment_id: shop.segmentId,
        message,
        ...(isLong && { duration: spreadMinutes }),
      },
    });
    work.campaigns.push({ id: body.id, message });
  }
  if (!isLong) return;
  const flow = work.flows.at(-1);
  if (flow && (await settledOf(scene, 'flow_id', flow.id)) < profileCount) return;
  // A flow that has served everybody is replaced, since it would only look at the same profiles again.
  if (flow) {
    await florist.api().call(updateFlow, { params: { flowId: flow.id }, body: { active: false } });
    flow.isActive = false;
  }
  const { body } = await florist.api().call(createFlow, {
    body: {
      name: 'Storm',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId: florist.projectId, message: 'Hello {name}' },
      frequency: { type: 'lifetime', value: null },
    },
  });
  work.flows.push({ id: body.id, isActive: true });
}
