import type { Context } from '#server/context.ts';
import { scheduledJobs } from '#server/jobs.ts';
import { createAlertMailer } from '#server/modules/numbers/alerts/index.ts';
import { createBillingWorker } from '#server/modules/identity/billing/index.ts';
import { createMailSender } from '#server/modules/identity/mails/index.ts';
import { createExportRunner } from '#server/modules/outreach/account-data/index.ts';
import { createBulkActionRunner } from '#server/modules/outreach/bulk-actions/index.ts';
import { createBulkRunner } from '#server/modules/outreach/bulk/index.ts';
import { createCampaignRunner } from '#server/modules/outreach/campaigns/index.ts';
import { createFlowRunner, flowSource } from '#server/modules/outreach/flows/index.ts';
import {
  createBacklogWatch,
  createDeferredFeeder,
  createWaitingAnnouncer,
} from '#server/modules/messaging/messages/index.ts';
import { createNotifier } from '#server/modules/messaging/notifications/index.ts';
import { createOutcomeFolder } from '#server/modules/outreach/outcomes/index.ts';
import { createCloudWebhookService } from '#server/modules/messaging/official/index.ts';
import { createTemplateSync } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { createPhoneWorker } from '#server/modules/messaging/sessions/index.ts';
import { createImportRunner } from '#server/modules/audience/imports/index.ts';
import { createFieldTyper } from '#server/modules/audience/fields/index.ts';
import { createMembershipService } from '#server/modules/audience/membership/index.ts';
import { segmentSource } from '#server/modules/audience/segments/index.ts';
import { createFieldFolder } from '#server/modules/audience/profiles/index.ts';
import { createWebhookDeliverer } from '#server/modules/messaging/webhooks/index.ts';
import { createFigureWatch } from '#server/watch-figures.ts';
import { createSchedule } from '#server/platform/schedule/schedule.ts';
import type { Service } from '#server/platform/service.ts';

type Worker = Parameters<typeof createPhoneWorker>[1];

/** Everything that a worker runs in the background. */
export function workerServices(ctx: Context, worker: Worker): Service[] {
  return [
    createPhoneWorker(ctx, worker),
    createDeferredFeeder(ctx),
    createCloudWebhookService(ctx),
    createTemplateSync(ctx),
    createWebhookDeliverer(ctx),
    createImportRunner(ctx),
    createBulkActionRunner(ctx),
    createExportRunner(ctx),
    createFieldFolder(ctx),
    createFieldTyper(ctx),
    createMembershipService(ctx, [segmentSource, flowSource]),
    createCampaignRunner(ctx),
    createBulkRunner(ctx),
    createFlowRunner(ctx),
    createBillingWorker(ctx),
    createMailSender(ctx),
    createAlertMailer(ctx),
    createNotifier(ctx),
    createOutcomeFolder(ctx),
    createBacklogWatch(ctx),
    createWaitingAnnouncer(ctx),
    createFigureWatch(ctx),
    createSchedule(
      ctx,
      scheduledJobs.map((job) => ({ ...job, run: () => job.run(ctx) })),
    ),
  ];
}
