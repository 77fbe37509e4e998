import type { CurrentSubscription } from '#contracts/billing.ts';
import type { BulkRunEvent } from '#contracts/bulk-runs.ts';
import type { Criteria } from '#contracts/expressions.ts';
import type { ContactChange } from '#contracts/contacts.ts';
import type { Conversation } from '#contracts/conversations.ts';
import type { TrackedEvent } from '#contracts/events.ts';
import type { CampaignEvent } from '#contracts/campaigns.ts';
import type { Message } from '#contracts/messages.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { FinishedImport } from '#contracts/profile-imports.ts';
import type { ContactOptOut } from '#contracts/suppressions.ts';
import type { WebhookEventType } from '#contracts/webhooks.ts';

type Source = { accountId: number; at: Date };
type ProjectSource = Source & { projectId: number };

/** `messageId` names the message whose `text` it was; `receivedAt` is when the network had it. */
export type ContactReply = {
  reply: 'opt_out' | 'opt_in';
  phoneId: number;
  /** Digits, or `lid:` and a LID. */
  person: string;
  messageId: number;
  text: string;
  receivedAt: Date;
};

export type SubscriptionEvent = Extract<WebhookEventType, `subscription.${string}`>;

/** Events in the past tense; each carries the presented object as it was right after the event. */
export type DomainEvent =
  | (ProjectSource &
      (
        | {
            type:
              | 'message.received'
              | 'message.sent'
              | 'message.delivered'
              | 'message.read'
              | 'message.failed'
              | 'message.reaction'
              | 'message.edited'
              | 'message.deleted'
              | 'message.poll_vote'
              | 'call.received'
              | 'message.media_stored'
              | 'message.media_failed';
            data: Message;
            /** Of one from outside: it is a word that opts out or in. */
            reply?: 'opt_out' | 'opt_in' | undefined;
            /** The sender's display name on the network. */
            senderName?: string | undefined;
          }
        | {
            type:
              | 'phone.connected'
              | 'phone.disconnected'
              | 'phone.auth_failed'
              | 'phone.banned'
              | 'phone.limited'
              | 'phone.recovered';
            data: PhoneNumber;
          }
        | { type: 'conversation.assigned' | 'conversation.done'; data: Conversation }
        | { type: 'contact.changed'; data: ContactChange }
        // Not for webhooks: its snooze has ended.
        | { type: 'conversation.woken'; conversationId: number }
        // Not for webhooks: a note names members.
        | {
            type: 'conversation.mentioned';
            conversationId: number;
            userIds: readonly number[];
            byUserId: number | null;
          }
        // Emitted once for each project of the account.
        | { type: 'contact.opted_out' | 'contact.opted_in'; data: ContactOptOut }
        // Not for webhooks: a message from outside is a word that opts out or in.
        | ({ type: 'contact.replied' } & ContactReply)
        // Not for webhooks: the number behind an address of the network, or `lid:` and another address, which messages were kept under.
        | { type: 'contact.number_learnt'; number: string; lid: string }
        // Not for webhooks: the address book of a number's handset; null: removed from it. `key` is a conversation's.
        | { type: 'contacts.named'; phoneId: number; people: readonly { key: string; name: string | null }[] }
        // Not for webhooks: the person behind a number has another one now.
        | { type: 'contact.moved'; number: string; person: string }
        // Not for webhooks: a part of a conversation of before the link, with so many messages of the person's, the
        // latest of which is `wrote`; `unread`: how many of the whole conversation the handset has not read.
        | {
            type: 'chat.taken_over';
            phoneId: number;
            person: string;
            number: string | null;
            name: string | undefined;
            unread: number;
            incoming: number;
            latest: { id: number; at: Date };
            wrote: { at: Date; text: string } | null;
          }
        // Not for webhooks: the project's own status follows.
        | { type: 'phone.status_changed' }
        // Not for webhooks: the phone itself follows, where it is stopped or goes on.
        | { type: 'phone.health_changed'; phoneId: number; change: 'limited' | 'recovered' | 'other' }
        // Not for webhooks: direct messages are among the first contacts that use up a phone's day; its account is alerted.
        | { type: 'phone.first_contacts_used'; phoneId: number; used: number; allowed: number; until: Date }
        // Not for webhooks: the network refused a queued message for what its phone did, and it waits again, untried.
        | { type: 'message.returned'; campaignId: number | null; flowId: number | null; bulkRunId: number | null }
        // Not for webhooks: what still waits for the phone can no longer be sent.
        | { type: 'phone.deleted'; phoneId: number }
      ))
  | (ProjectSource & { type: 'campaign.completed' | 'campaign.failed' | 'campaign.paused'; data: CampaignEvent })
  | (ProjectSource & { type: 'bulk_run.completed'; data: BulkRunEvent })
  // Of the account: each of its projects tells its own server.
  | (Source & { type: 'import.completed'; data: FinishedImport })
  | (Source & { type: 'event.received'; data: TrackedEvent })
  | (Source & { type: SubscriptionEvent; data: CurrentSubscription })
  // Not for webhooks: what waited for a subscription goes on, or what goes on stops.
  | (Source & { type: 'access.opened' | 'access.closed' })
  // Not for webhooks: flows look at the profiles that are new or read otherwise now.
  | (Source & { type: 'profiles.changed'; profileIds: readonly number[] })
  // Not for webhooks: expressions of the account are read otherwise now.
  | (Source & { type: 'audiences.changed' })
  // Not for webhooks: profiles that are new, or have another number, adopt what was sent to it and came from it.
  | (Source & { type: 'profiles.numbered'; profileIds: readonly number[] })
  // Not for webhooks: what waits for them is withdrawn.
  | (Source & { type: 'profiles.deleted'; profileIds: readonly number[] })
  // Not for webhooks: what waits for the numbers with these keys is withdrawn.
  | (Source & { type: 'contacts.opted_out'; phoneKeys: readonly string[] })
  // Not for webhooks: what waits for them of campaigns, flows and runs of the topic is withdrawn.
  | (Source & { type: 'topics.opted_out'; phoneKeys: readonly string[] })
  // Not for webhooks: flows look at them again.
  | (Source & { type: 'topics.opted_in'; phoneKeys: readonly string[] })
  // Not for webhooks: flows look at them again, and profiles say no longer that they are out.
  | (Source & { type: 'contacts.opted_in'; phoneKeys: readonly string[] })
  // Not for webhooks: messages that carry the file say that it is gone.
  | (Source & { type: 'media.removed'; mediaId: string })
  // Not for webhooks: campaigns without a snapshot of its members cannot take one.
  | (Source & { type: 'segment.deleted'; segmentId: number; criteria: Criteria });
