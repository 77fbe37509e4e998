import type { PreviewCampaign } from '#contracts/campaigns.ts';
import type { Review } from '#contracts/reviews.ts';
import type { AccountContext } from '#server/context.ts';
import { findReviewed } from '#server/modules/messaging/media/index.ts';
import { reviewedTopic, reviewProfiles } from '#server/modules/outreach/reviews/index.ts';
import { findReviewedTemplate } from '#server/modules/outreach/recipients/index.ts';
import { criteriaOfGiven } from './audience.ts';

/** Reviews the profiles that would get it now, as the snapshot would select them. */
export async function previewCampaign(ctx: AccountContext, input: PreviewCampaign): Promise<Review> {
  const now = ctx.clock.now();
  const when = typeof input.when === 'string' ? new Date(input.when) : now;
  return reviewProfiles(ctx, {
    criteria: await criteriaOfGiven(ctx, input),
    message: input.message,
    topicId: await reviewedTopic(ctx, input.topic_id),
    whenCapped: input.when_capped,
    media: await findReviewed(ctx, input),
    bound: await findReviewedTemplate(ctx, { projectId: input.project_id, template: input.template }),
    projectId: input.project_id,
    startsAt: when > now ? when : now,
    leastMs: (input.duration ?? 0) * 60_000,
  });
}
