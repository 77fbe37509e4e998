import type { Context } from '#server/context.ts';
import { scheduledJobs } from '#server/jobs.ts';
import { createAlertMailer } from '#server/modules/alerts/index.ts';
import { createBillingWorker } from '#server/modules/billing/index.ts';
import { createBulkActionRunner } from '#server/modules/bulk-actions/index.ts';
import { createBulkRunner } from '#server/modules/bulk-runs/index.ts';
import { createCampaignRunner } from '#server/modules/campaigns/index.ts';
import { createFlowRunner } from '#server/modules/flows/index.ts';
import { createBacklogWatch, createDeferredFeeder } from '#server/modules/messages/index.ts';
import { createOutcomeFolder } from '#server/modules/outcomes/index.ts';
import { createPhoneWorker } from '#server/modules/phone-sessions/index.ts';
import { createImportRunner } from '#server/modules/profile-imports/index.ts';
import { createFieldFolder } from '#server/modules/profiles/index.ts';
import { createWebhookDeliverer } from '#server/modules/webhooks/index.ts';
import { createSchedule } from '#server/platform/schedule/schedule.ts';
import type { Service } from '#server/platform/service.ts';

type Worker = Parameters<typeof createPhoneWorker>[1];

/** Everything that a worker runs in the background. */
export function workerServices(ctx: Context, worker: Worker): Service[] {
  return [
    createPhoneWorker(ctx, worker),
    createDeferredFeeder(ctx),
    createWebhookDeliverer(ctx),
    createImportRunner(ctx),
    createBulkActionRunner(ctx),
    createFieldFolder(ctx),
    createCampaignRunner(ctx),
    createBulkRunner(ctx),
    createFlowRunner(ctx),
    createBillingWorker(ctx),
    createAlertMailer(ctx),
    createOutcomeFolder(ctx),
    createBacklogWatch(ctx),
    createSchedule(
      ctx,
      scheduledJobs.map((job) => ({ ...job, run: () => job.run(ctx) })),
    ),
  ];
}
