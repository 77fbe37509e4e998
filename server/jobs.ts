import type { Context, Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { recordOwnAct } from '#server/audit.ts';
import { removeOldAnswers } from '#server/idempotency.ts';
import { removeOldTypedDrafts } from '#server/modules/identity/drafts/index.ts';
import { removeExpiredAttempts } from '#server/modules/identity/oidc/index.ts';
import { followDirectory } from '#server/modules/identity/cells/index.ts';
import { removeExpiredSessions } from '#server/modules/identity/users/index.ts';
import { takeOverMemberships } from '#server/modules/identity/memberships/index.ts';
import { alertFirstContacts, followStates, removeOldAlerts } from '#server/modules/numbers/alerts/index.ts';
import { removeOldChecks, removeOldQuestions } from '#server/modules/numbers/asking/index.ts';
import { reconcileSubscriptions, removeOldEvents } from '#server/modules/identity/billing/index.ts';
import { removeOldBulkActions } from '#server/modules/outreach/bulk-actions/index.ts';
import { removeOldDrafts, settleRows, wakeBulkRun, wakeBulkRuns } from '#server/modules/outreach/bulk/index.ts';
import {
  failCampaignsOfSegment,
  refuseSegmentOfCampaigns,
  settleRecipients,
  wakeCampaign,
  wakeCampaigns,
} from '#server/modules/outreach/campaigns/index.ts';
import {
  followConversations,
  removeOldEpisodes,
  removeOldReadReceipts,
  takeOverConversations,
  wakeConversations,
} from '#server/modules/messaging/conversations/index.ts';
import { removeOldContactFacts } from '#server/modules/messaging/contacts/index.ts';
import { announceToFlows, refuseSegmentOfFlows, settleDeliveries } from '#server/modules/outreach/flows/index.ts';
import { removeAbandoned, removeExpiredMedia } from '#server/modules/messaging/media/index.ts';
import { removeOldCounts } from '#server/modules/messaging/counts/index.ts';
import {
  adoptFurtherMessages,
  adoptMessages,
  answerCall,
  applyChanges,
  failMessagesOfPhone,
  forgetMedia,
  removeOldMessageKeys,
  removeOldTexts,
  takeOverTexts,
  wakeDeferred,
  withdrawOfNumbers,
  withdrawOfProfiles,
} from '#server/modules/messaging/messages/index.ts';
import { followJoins, noteCauses, removeOldNotifications } from '#server/modules/messaging/notifications/index.ts';
import { removeOldNotices } from '#server/modules/messaging/official/index.ts';
import { followReply } from '#server/modules/outreach/opt-out/index.ts';
import { removeOldReservations } from '#server/modules/outreach/caps/index.ts';
import { followOutcomes, removeOldOutcomes, takeOverEngagements } from '#server/modules/outreach/outcomes/index.ts';
import {
  askAgainForNumbers,
  assessPhones,
  followMessages,
  noteEarlierWriter,
  removeOldHealthRows,
  removeOldNumbers,
} from '#server/modules/numbers/health/index.ts';
import {
  askAgainForShared,
  followPhoneHealth,
  followPhoneStatus,
  moveWindows,
  noteMarketingCaps,
  removeOldAllowances,
  removeOldHolds,
  removeOldWindows,
  signOutLapsedPhones,
  wakePhones,
} from '#server/modules/numbers/phones/index.ts';
import {
  copyMarketingStop,
  copySuppression,
  moveMarketingStop,
  moveSuppression,
} from '#server/modules/audience/suppressions/index.ts';
import {
  keepEventBudgets,
  noteErasedEvents,
  recountEvents,
  removeOldEventKeys,
} from '#server/modules/audience/events/index.ts';
import { markChanged, sweepAudiences } from '#server/modules/audience/membership/index.ts';
import { noteDailyCounts, removeOldMoves } from '#server/modules/audience/segments/index.ts';
import { removeOldImports } from '#server/modules/audience/imports/index.ts';
import { suppressErased } from '#server/modules/audience/suppressions/index.ts';
import { deleteDueAccounts, removeOldExports } from '#server/modules/outreach/account-data/index.ts';
import { removeOptOutWords } from '#server/modules/audience/profiles/index.ts';
import { dropOldRequests } from '#server/modules/identity/request-log/index.ts';
import { recordWebhookEvents } from '#server/modules/messaging/webhooks/index.ts';
import { removeExpiredRecords } from '#server/remove-expired-records.ts';
import { dropOldMonths, ensurePartitions } from '#server/platform/db/partitions.ts';
import { dailyAt, everyMinutes, hourlyAt } from '#server/platform/schedule/rounds.ts';
import type { Rounds } from '#server/platform/schedule/rounds.ts';

/** The reactions of modules to events of other modules, in the transaction of the event. */
export async function reactToDomainEvents(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type === 'phone.status_changed') await followPhoneStatus(tx, event.accountId, event.projectId);
    if (event.type === 'access.opened') await wakePhones(tx, event.accountId);
    if (['access.opened', 'access.closed', 'phone.status_changed'].includes(event.type)) {
      await wakeCampaigns(tx, event.accountId);
      await wakeBulkRuns(tx, event.accountId);
      await wakeDeferred(tx, event.accountId);
    }
    if (event.type === 'phone.health_changed') {
      await followPhoneHealth(tx, event);
      if (event.change !== 'other') {
        await wakeCampaigns(tx, event.accountId);
        await wakeBulkRuns(tx, event.accountId);
        await wakeDeferred(tx, event.accountId);
      }
    }
    if (event.type === 'media.removed') await forgetMedia(tx, event);
    if (event.type === 'segment.deleted') {
      await refuseSegmentOfCampaigns(tx, event);
      await refuseSegmentOfFlows(tx, event);
      await failCampaignsOfSegment(tx, event);
    }
    if (event.type === 'profiles.numbered') {
      await adoptMessages(tx, event);
      await suppressErased(tx, event);
    }
    if (event.type === 'profiles.deleted') await withdrawOfProfiles(tx, event);
    if (event.type === 'contacts.opted_out' || event.type === 'topics.opted_out') await withdrawOfNumbers(tx, event);
    if (event.type === 'contacts.opted_in') await removeOptOutWords(tx, event);
    if (event.type === 'contact.number_learnt') {
      await moveSuppression(tx, event);
      await moveMarketingStop(tx, event);
      await moveWindows(tx, event);
    }
    if (event.type === 'contact.moved') {
      await copySuppression(tx, event);
      await copyMarketingStop(tx, event);
    }
    if (event.type === 'call.received') await answerCall(tx, event);
    if (event.type === 'chat.taken_over') await noteEarlierWriter(tx, event);
    if (event.type === 'contact.replied') await followReply(tx, event);
    if (event.type === 'message.returned') {
      await wakeCampaign(tx, event);
      await wakeBulkRun(tx, event);
    }
    if (event.type === 'phone.deleted') await failMessagesOfPhone(tx, event.accountId, event.phoneId);
  }
  await alertFirstContacts(tx, events);
  await applyChanges(tx, events);
  await followMessages(tx, events);
  await noteMarketingCaps(tx, events);
  await followJoins(tx, events);
  await followConversations(tx, events);
  await noteCauses(tx, events);
  await settleRecipients(tx, events);
  await settleDeliveries(tx, events);
  await settleRows(tx, events);
  await followOutcomes(tx, events);
  await announceToFlows(tx, events);
  await markChanged(tx, events);
  await recordWebhookEvents(tx, events);
  await recordOwnActs(tx, events);
}

/** Acts of the product itself: those of people and keys have their rows from the endpoint. */
async function recordOwnActs(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  if (tx.actor.kind !== 'system') return;
  for (const event of events) {
    const { accountId, type: name } = event;
    switch (name) {
      case 'campaign.completed':
      case 'campaign.failed':
      case 'campaign.paused':
      case 'bulk_run.completed':
        await recordOwnAct(tx, { accountId, name, id: event.data.id, named: event.data.name });
        break;
      case 'phone.auth_failed':
      case 'phone.banned':
      case 'phone.limited':
      case 'phone.recovered':
        await recordOwnAct(tx, {
          accountId,
          name,
          id: event.data.id,
          named: event.data.name ?? event.data.phone_number,
        });
        break;
      default:
    }
  }
}

/** Work that comes round by the clock (UTC); one process of all runs each round. */
export const scheduledJobs: readonly { name: string; rounds: Rounds; run(ctx: Context): Promise<unknown> }[] = [
  // Each subscription says itself when it is due, once an hour or before its access ends.
  { name: 'subscriptions.reconcile', rounds: everyMinutes(5), run: reconcileSubscriptions },
  { name: 'payment-events.remove-old', rounds: dailyAt(2, 47), run: removeOldEvents },
  { name: 'phones.sign-out-lapsed', rounds: hourlyAt(33), run: signOutLapsedPhones },
  { name: 'phones.assess', rounds: everyMinutes(2), run: assessPhones },
  { name: 'official-numbers.ask-for-shared', rounds: everyMinutes(10), run: askAgainForShared },
  { name: 'official-notices.remove-old', rounds: dailyAt(3, 37), run: removeOldNotices },
  { name: 'contact-windows.remove-old', rounds: hourlyAt(47), run: removeOldWindows },
  { name: 'official-allowances.remove-old', rounds: hourlyAt(49), run: removeOldAllowances },
  { name: 'kept-numbers.remove-old', rounds: hourlyAt(53), run: removeOldNumbers },
  { name: 'number-holds.remove-old', rounds: hourlyAt(51), run: removeOldHolds },
  { name: 'phone-health.remove-old', rounds: hourlyAt(7), run: (ctx) => removeOldHealthRows(ctx) },
  { name: 'numbers.ask-again', rounds: hourlyAt(13), run: askAgainForNumbers },
  { name: 'phone-questions.remove-old', rounds: everyMinutes(10), run: removeOldQuestions },
  { name: 'contact-facts.remove-old', rounds: dailyAt(3, 7), run: removeOldContactFacts },
  { name: 'number-checks.remove-old', rounds: hourlyAt(43), run: removeOldChecks },
  { name: 'cells.follow-directory', rounds: hourlyAt(41), run: followDirectory },
  { name: 'sessions.remove-expired', rounds: hourlyAt(17), run: removeExpiredSessions },
  { name: 'oidc.remove-expired', rounds: hourlyAt(18), run: removeExpiredAttempts },
  { name: 'memberships.take-over', rounds: everyMinutes(1), run: (ctx) => takeOverMemberships(ctx) },
  { name: 'alerts.follow-states', rounds: everyMinutes(1), run: followStates },
  { name: 'notifications.remove-old', rounds: hourlyAt(23), run: removeOldNotifications },
  { name: 'accounts.delete-due', rounds: everyMinutes(5), run: deleteDueAccounts },
  { name: 'account-exports.remove-old', rounds: everyMinutes(10), run: removeOldExports },
  { name: 'alerts.remove-old', rounds: dailyAt(3, 17), run: removeOldAlerts },
  { name: 'segment-moves.remove-old', rounds: dailyAt(4, 37), run: removeOldMoves },
  { name: 'segments.note-counts', rounds: dailyAt(0, 7), run: noteDailyCounts },
  { name: 'audiences.sweep', rounds: dailyAt(4, 17), run: (ctx) => sweepAudiences(ctx) },
  { name: 'caps.remove-old', rounds: dailyAt(3, 47), run: removeOldReservations },
  { name: 'outcomes.remove-old', rounds: dailyAt(3, 27), run: removeOldOutcomes },
  { name: 'engagements.take-over', rounds: everyMinutes(1), run: takeOverEngagements },
  { name: 'message-keys.remove-old', rounds: hourlyAt(27), run: removeOldMessageKeys },
  { name: 'read-receipts.remove-old', rounds: dailyAt(2, 57), run: removeOldReadReceipts },
  { name: 'conversations.take-over', rounds: everyMinutes(1), run: takeOverConversations },
  { name: 'conversation-episodes.remove-old', rounds: dailyAt(4, 47), run: removeOldEpisodes },
  { name: 'conversations.wake', rounds: everyMinutes(1), run: wakeConversations },
  { name: 'message-texts.take-over', rounds: everyMinutes(1), run: takeOverTexts },
  { name: 'message-texts.remove-old', rounds: dailyAt(4, 37), run: removeOldTexts },
  { name: 'messages.adopt', rounds: everyMinutes(1), run: adoptFurtherMessages },
  { name: 'idempotent-requests.remove-old', rounds: hourlyAt(37), run: removeOldAnswers },
  { name: 'message-counts.remove-old', rounds: dailyAt(3, 57), run: removeOldCounts },
  { name: 'bulk-runs.remove-old-drafts', rounds: hourlyAt(57), run: removeOldDrafts },
  { name: 'profile-imports.remove-old', rounds: hourlyAt(47), run: removeOldImports },
  { name: 'media.remove-expired', rounds: everyMinutes(10), run: removeExpiredMedia },
  { name: 'media.remove-abandoned', rounds: hourlyAt(57), run: removeAbandoned },
  { name: 'drafts.remove-old', rounds: dailyAt(4, 47), run: removeOldTypedDrafts },
  { name: 'bulk-actions.remove-old', rounds: hourlyAt(53), run: removeOldBulkActions },
  { name: 'records.remove-expired', rounds: everyMinutes(10), run: (ctx) => removeExpiredRecords(ctx) },
  {
    name: 'partitions.drop-old',
    rounds: dailyAt(4, 7),
    run: async (ctx) => {
      await noteErasedEvents(ctx);
      return dropOldMonths(ctx.db, { now: ctx.clock.now(), ...ctx.config });
    },
  },
  {
    name: 'events.keep-budget',
    rounds: everyMinutes(10),
    run: async (ctx) => sweepAudiences(ctx, await keepEventBudgets(ctx)),
  },
  { name: 'events.recount', rounds: dailyAt(4, 47), run: (ctx) => recountEvents(ctx) },
  { name: 'event-keys.remove-old', rounds: hourlyAt(23), run: removeOldEventKeys },
  { name: 'request-log.drop-old', rounds: dailyAt(4, 17), run: dropOldRequests },
  { name: 'partitions.ensure', rounds: dailyAt(3, 37), run: ({ db, clock }) => ensurePartitions(db, clock.now()) },
];
