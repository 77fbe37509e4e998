import type { Context } from '#server/context.ts';
import { scheduledJobs } from '#server/jobs.ts';
import { createBillingWorker } from '#server/modules/billing/index.ts';
import { createCampaignRunner } from '#server/modules/campaigns/index.ts';
import { createFlowRunner } from '#server/modules/flows/index.ts';
import { createPhoneWorker } from '#server/modules/phone-sessions/index.ts';
import { createImportRunner } from '#server/modules/profile-imports/index.ts';
import { createFieldFolder } from '#server/modules/profiles/index.ts';
import { createWebhookDeliverer } from '#server/modules/webhooks/index.ts';
import { createSchedule } from '#server/platform/schedule/schedule.ts';
import type { Service } from '#server/platform/service.ts';

/** Everything that a worker runs in the background. `owner` is the name under which it holds phones. */
export function workerServices(ctx: Context, { owner }: { owner: string }): Service[] {
  return [
    createPhoneWorker(ctx, { owner }),
    createWebhookDeliverer(ctx),
    createImportRunner(ctx),
    createFieldFolder(ctx),
    createCampaignRunner(ctx),
    createFlowRunner(ctx),
    createBillingWorker(ctx),
    createSchedule(
      ctx,
      scheduledJobs.map((job) => ({ ...job, run: () => job.run(ctx) })),
    ),
  ];
}
