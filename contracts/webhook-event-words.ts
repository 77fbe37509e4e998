import type { WebhookEventType } from './webhooks.ts';

/** When each event is sent, for the documentation. */
export const webhookEventWords: Readonly<Record<WebhookEventType, string>> = {
  'message.received': 'Somebody wrote to one of your numbers.',
  'message.sent': 'The network took a message of yours.',
  'message.delivered': 'It arrived.',
  'message.read': 'It was read, as far as the recipient lets senders know.',
  'message.failed': 'It will not be sent; `error_code` says why.',
  'message.reaction': 'Somebody reacted to a message, or took that back.',
  'message.edited': 'Its sender changed it.',
  'message.deleted': 'Its sender took it back.',
  'message.poll_vote': 'Somebody voted in a poll, or took that back; `poll.votes` has all votes.',
  'message.media_stored': 'The file that came with a message can be downloaded.',
  'message.media_failed': 'The file that came with a message could not be had.',
  'call.received': 'Somebody called one of your numbers; `call.outcome` says what became of it.',
  'conversation.assigned': 'A conversation was given to a member, or to nobody; `assigned_to` says to whom.',
  'conversation.done': 'Somebody marked a conversation as done.',
  'phone.connected': 'A phone number can send and receive.',
  'phone.disconnected': 'A phone number was signed out, or the network is away.',
  'phone.auth_failed': 'A phone number must be linked anew.',
  'phone.banned': 'WhatsApp has banned a phone number.',
  'phone.limited':
    'WhatsApp, or its own protection, stops what a phone number has queued; `health` says why and until when.',
  'phone.recovered': 'What stopped it is over, and its queued messages go on.',
  'contact.opted_out': 'Somebody opted out.',
  'contact.opted_in': 'Somebody opted in again.',
  'contact.changed':
    'A person shows another name, about or photo on WhatsApp, or the number behind a LID was learnt; `changed` says which.',
  'campaign.completed': 'Everybody a campaign is for has been dealt with; its counts say how.',
  'campaign.failed': 'Nothing of a campaign could be sent; `error` says why.',
  'campaign.paused': 'A campaign was paused, by a person or to protect a phone number.',
  'bulk_run.completed': 'Every row of a bulk run has been dealt with; its counts say how.',
  'import.completed': 'An import of profiles is over; `status` says whether it came to its end.',
  'event.received':
    'A program said what a person did. Off unless an endpoint names it, and at most 20,000 an hour of an account: `GET /api/events` has them all.',
  'subscription.activated': 'The plan is active.',
  'subscription.past_due': 'A payment failed; access goes on for three days.',
  'subscription.suspended': 'A payment failed and the days of grace are over.',
  'subscription.cancelled': 'It was cancelled; access goes on until the paid period ends.',
  'subscription.expired': 'It is over.',
  test: 'You asked for it.',
};
