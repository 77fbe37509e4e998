import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createCampaign, deleteCampaign } from '#contracts/campaigns.ts';
import type { Campaign } from '#contracts/campaigns.ts';
import type { SegmentCondition } from '#contracts/conditions.ts';
import { createSegment } from '#contracts/segments.ts';
import type { Segment } from '#contracts/segments.ts';
import type { Customer } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import { cpuTimeMs } from './cpu-time.ts';

/** Where campaigns are made: of a customer with a million profiles. */
export type Stage = { database: pg.Pool; product: Product; customer: Customer; projectId: number };

/** Following the new segments costs more than a snapshot does, and is none of it. */
export async function leaveSegmentsAlone({ database, customer }: Stage): Promise<void> {
  await database.query(
    `insert into audience_work (account_id, due_at, claimed_until) values ($1, 'infinity', 'infinity')
     on conflict (account_id) do update set claimed_until = 'infinity', token = audience_work.token + 1`,
    [customer.id],
  );
}

/** Of `makeMillionProfiles`' people those with `installed`. */
export const hundredThousand = { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' } as const;

export async function makeSegment({ customer }: Stage, condition: SegmentCondition): Promise<Segment> {
  return (await customer.api.call(createSegment, { body: { name: 'Audience', condition } })).body;
}

export async function makeCampaign({ customer, projectId }: Stage, segment: Segment): Promise<Campaign> {
  const body = { name: 'Bench', project_id: projectId, segment_id: segment.id, message: 'Hello {name}' };
  return (await customer.api.call(createCampaign, { body })).body;
}

export async function untilRunning({ database }: Stage, { id }: Campaign): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ status: string }>('select status from campaigns where id = $1', [id]);
    if (rows[0]?.status === 'running') return;
    await delay(10);
  }
}

/**
 * Seconds from the campaign's request to its snapshot's end, through the worker that is notified of it; nobody can be sent to
 * meanwhile. Answers the processor's seconds of the product and its database, too, and how many of the people it skips.
 */
export async function takeSnapshot(stage: Stage): Promise<{ seconds: number; cpuSeconds: number; skipped: number }> {
  const segment = await makeSegment(stage, hundredThousand);
  const cpuBefore = await cpuTimeMs(stage.product.pid, stage.database);
  const before = performance.now();
  const campaign = await makeCampaign(stage, segment);
  await untilRunning(stage, campaign);
  const seconds = (performance.now() - before) / 1000;
  const cpuSeconds = ((await cpuTimeMs(stage.product.pid, stage.database)) - cpuBefore) / 1000;
  const { rows } = await stage.database.query<{ skipped: number }>(
    `select count(*) as skipped from campaign_recipients where campaign_id = $1 and status = 'skipped'`,
    [campaign.id],
  );
  await stage.customer.api.call(deleteCampaign, { params: { campaignId: campaign.id } });
  return { seconds, cpuSeconds, skipped: rows[0]?.skipped ?? 0 };
}
