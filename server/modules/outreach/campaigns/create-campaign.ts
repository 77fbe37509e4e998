import type { Campaign, NewCampaign } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { takeCarried } from '#server/modules/messaging/media/index.ts';
import { holdProject } from '#server/modules/identity/projects/index.ts';
import { takeTemplate } from '#server/modules/outreach/recipients/index.ts';
import { setRules } from '#server/modules/audience/topics/index.ts';
import { narrowedTo } from '#server/scope.ts';
import { newAudience } from './audience.ts';
import { firstStatus } from './campaign.ts';
import { refusePast } from './refuse-past.ts';
import { presentCampaignFor } from './present.ts';
import { announceCampaign, getCampaignRecord } from './queries.ts';

/** A worker takes the snapshot of its recipients when its time has come. */
export async function createCampaign(ctx: AccountContext, input: NewCampaign): Promise<Campaign> {
  return inTransaction(ctx, async (tx) => {
    const { segment_id: segmentId, audience } = await newAudience(tx, input);
    await holdProject(tx, input.project_id);
    const now = tx.clock.now();
    const when = typeof input.when === 'string' ? new Date(input.when) : null;
    refusePast(when, now);
    const media = input.media ? await takeCarried(tx, { media: input.media }) : null;
    const template = await takeTemplate(tx, { projectId: input.project_id, template: input.template });
    const { id } = await tx.db
      .insertInto('campaigns')
      .values({
        account_id: tx.account.id,
        project_id: input.project_id,
        segment_id: segmentId,
        audience: audience && JSON.stringify(audience),
        audience_project_ids: narrowedTo(tx),
        name: input.name,
        message: input.message ?? '',
        media,
        template,
        status: firstStatus(when, now),
        scheduled_at: when,
        spread_minutes: input.duration ?? null,
        recheck_members: input.recheck_members ?? null,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setRules(tx, { source: 'campaign', sourceId: id }, { given: input });
    await announceCampaign(tx, { accountId: tx.account.id, campaignId: id });
    return presentCampaignFor(tx, await getCampaignRecord(tx, id));
  });
}
