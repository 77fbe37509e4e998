import type { CurrentUser, User } from '#contracts/accounts.ts';
import { permissions } from '#contracts/permissions.ts';
import { premiumPlan, type CurrentSubscription, type Payment, type Subscription } from '#contracts/billing.ts';
import type { Campaign } from '#contracts/campaigns.ts';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { ConversationDetail } from '#contracts/conversations.ts';
import type { Flow } from '#contracts/flows.ts';
import type { UploadedMedia } from '#contracts/media.ts';
import type { Message } from '#contracts/messages.ts';
import type { PhoneHealth } from '#contracts/phone-health.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Profile } from '#contracts/profiles.ts';
import type { Project } from '#contracts/projects.ts';
import type { Review } from '#contracts/reviews.ts';
import type { Report } from '#contracts/reports.ts';
import type { Segment } from '#contracts/segments.ts';
import { variablesOf } from '#contracts/whatsapp-template-parts.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';

const createdAt = '2026-10-14T09:12:00.000Z';

export function samplePhone(changes: Partial<PhoneNumber> = {}): PhoneNumber {
  return {
    id: 7,
    project_id: 3,
    phone_number: '61491570006',
    name: 'Backup line',
    connector: 'whatsapp',
    cloud: null,
    priority: 0,
    max_daily_messages: 1000,
    is_active: true,
    is_connected: false,
    is_resting: false,
    calls: { reject: false, text: null },
    waiting_for: 'no_connected_phone',
    waiting_until: null,
    status: 'created',
    error: null,
    status_message: 'This number is not connected yet. Choose Connect and follow the steps.',
    proxy: null,
    health: null,
    daily_message_count: 0,
    message_count: 0,
    last_used_at: null,
    connected_at: null,
    created_at: createdAt,
    ...changes,
  };
}

/** On the twelfth day of its warm-up. */
export function sampleHealth(changes: Partial<PhoneHealth> = {}): PhoneHealth {
  return {
    state: 'warming',
    code: 'warming_up',
    reason: 'This number is warming up.',
    simulated: false,
    until: null,
    allowances: { first_contacts: { allowed: 25, used: 17 }, known: { allowed: 300, used: 142 } },
    delivered_share_24h: 0.957,
    answered_share_24h: 0.209,
    warm_up_day: 12,
    is_protected: true,
    quiet_hours: true,
    older_account: false,
    ...changes,
  };
}

export function sampleProject(changes: Partial<Project> = {}): Project {
  return {
    id: 3,
    name: 'Larkspur Store',
    auth_key: 'dpa_test',
    webhook_url: null,
    webhook_secret: 'whsec_dGVzdA==',
    webhook_disabled_at: null,
    webhook_disabled_reason: null,
    status: 'connected',
    is_connected: true,
    connected_at: createdAt,
    sticky_sender: true,
    direct_first_contacts: 'send',
    read_receipts: false,
    typing_indicators: false,
    import_history: false,
    media_kept_days: 90,
    phone_count: 1,
    connected_phone_count: 1,
    sending: { can_send: true, connector: 'whatsapp', reason: null, message: null, until: null },
    waiting_for: null,
    waiting_until: null,
    created_at: createdAt,
    ...changes,
  };
}

export function sampleProfile(changes: Partial<Profile> = {}): Profile {
  return {
    id: 5,
    phone: '46701740605',
    phone_given: '+46 70 174 06 05',
    country_code: 'SE',
    cc: '46',
    number: '701740605',
    phone_is_valid: true,
    name: 'Ada Lindqvist',
    language: null,
    timezone: null,
    external_id: null,
    email: 'ada@example.com',
    custom_fields: { plan: 'trial' },
    status: 'active',
    tags: [],
    opted_out: false,
    opted_out_at: null,
    on_whatsapp: null,
    on_whatsapp_checked_at: null,
    created_at: createdAt,
    updated_at: createdAt,
    ...changes,
  };
}

export function sampleSegment(changes: Partial<Segment> = {}): Segment {
  return {
    id: 9,
    name: 'Installed users',
    condition: { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' },
    expression: { field: 'custom_fields.installed', op: 'equals', value: 'true' },
    served_by: 'index',
    created_at: createdAt,
    updated_at: createdAt,
    ...changes,
  };
}

/** `current` is taken out with `null`; its status follows the subscription's. */
export function sampleSubscription(
  changes: Partial<Subscription> = {},
  current: Partial<CurrentSubscription> | null = {},
): Subscription {
  const status = changes.status ?? 'active';
  return {
    status,
    hasActiveSubscription: ['active', 'past_due', 'cancelled'].includes(status),
    trial_ends_at: null,
    trial_ended_at: null,
    plan: premiumPlan,
    subscriptionPlan: premiumPlan,
    provider: 'paypal',
    currentSubscription: current && {
      order_id: 'I-BW452GLLEP1G',
      provider: 'paypal',
      status,
      started_at: createdAt,
      next_payment_at: null,
      access_ends_at: null,
      paid_until: null,
      can_resume: false,
      manage_url: 'https://www.paypal.com/myaccount/autopay/',
      ...current,
    },
    ...changes,
  };
}

/** An owner's account, beside the user and the subscription. */
export function sampleMembership(): Omit<CurrentUser, 'user' | 'subscription' | 'suspension'> {
  return {
    deletes_at: null,
    account: { id: 2, name: 'Larkspur', requires_two_factor: false, project_limit: 1 },
    second_factor_missing: false,
    role: 'owner',
    permissions: [...permissions],
    project_ids: null,
  };
}

export function sampleUser(changes: Partial<User> = {}): User {
  return {
    id: 2,
    name: 'Maya Okonkwo',
    email: 'maya@example.com',
    api_key: 'dpk_test',
    language: 'en',
    timezone: 'UTC',
    default_country: null,
    email_confirmed: true,
    messages_kept_days: null,
    created_at: createdAt,
    ...changes,
  };
}

export function samplePayment(changes: Partial<Payment> = {}): Payment {
  return {
    id: 2,
    order_id: 'I-BW452GLLEP1G',
    provider: 'paypal',
    amount: 9.99,
    currency: 'USD',
    status: 'completed',
    paid_at: createdAt,
    ...changes,
  };
}

export function sampleFlow(changes: Partial<Flow> = {}): Flow {
  return {
    id: 5,
    name: 'Trial ending soon',
    conditions: [{ fieldPath: 'custom_fields.plan', operator: 'equals', value: 'trial' }],
    expression: null,
    exclude_segment_ids: [],
    audience_project_ids: null,
    topic_id: null,
    when_capped: 'skip',
    priority: 'normal',
    duration: { type: 'last_hours', hours: 24, dateFieldPath: 'updated_at' },
    action: { type: 'send_message', projectId: 3, project_id: 3, message: 'Hi {name}', media: null, template: null },
    frequency: { type: 'lifetime', value: null },
    active: true,
    last_run_at: null,
    waiting_for: null,
    waiting_until: null,
    last_error: null,
    next_try_at: null,
    counts: { waiting: 0, sent: 0, failed: 0, skipped: 0, delivered: 0, read: 0, replied: 0, opted_out: 0, clicked: 0 },
    created_at: createdAt,
    updated_at: createdAt,
    ...changes,
  };
}

export function sampleCampaign(changes: Partial<Campaign> = {}): Campaign {
  return {
    id: 4,
    name: 'Installed follow-up',
    project_id: 3,
    segment_id: 9,
    segment_name: 'Installed users',
    expression: null,
    exclude_segment_ids: [],
    audience_project_ids: null,
    topic_id: null,
    when_capped: 'skip',
    priority: 'normal',
    message: 'Hi {name}, thanks for installing.',
    media: null,
    template: null,
    status: 'running',
    error: null,
    waiting_for: null,
    waiting_until: null,
    total_count: 10,
    sent_count: 4,
    failed_count: 1,
    skipped_count: 2,
    delivered_count: 0,
    read_count: 0,
    replied_count: 0,
    opted_out_count: 0,
    clicked_count: 0,
    waiting_count: 3,
    when: null,
    duration: null,
    recheck_members: null,
    created_at: createdAt,
    started_at: createdAt,
    finished_at: null,
    ...changes,
  };
}

/** A picture that has just been uploaded. */
export function sampleUpload(changes: Partial<UploadedMedia> = {}): UploadedMedia {
  return {
    id: 'media_1',
    mime_type: 'image/png',
    file_name: 'bag.png',
    size: 1_900_000,
    sha256: 'ab',
    expires_at: '2027-01-01T00:00:00.000Z',
    ...changes,
  };
}

/** A document that goes with every message of something that is stored. */
export function sampleCarried(changes: Partial<CarriedMedia> = {}): CarriedMedia {
  return {
    id: 'media_7',
    type: 'document',
    mime_type: 'application/pdf',
    file_name: 'Offer.pdf',
    size: 82_000,
    sha256: 'cd',
    ...changes,
  };
}

/** Of a message with nothing special about it. */
export const plainContext: NonNullable<Message['context']> = {
  button: null,
  referral: null,
  forwarded: false,
  mentions: [],
  view_once: false,
  album: null,
  broadcast: false,
  play_as: null,
  preview: null,
};

export function sampleMessage(changes: Partial<Message> = {}): Message {
  return {
    id: 100,
    project_id: 3,
    phone_id: 7,
    profile_id: 5,
    campaign_id: null,
    flow_id: null,
    bulk_run_id: null,
    to: '61491570006',
    from: '46701740605',
    from_lid: null,
    type: 'text',
    message: 'Hello',
    media: null,
    location: null,
    contacts: null,
    poll: null,
    template: null,
    pricing: null,
    order: null,
    payment: null,
    call: null,
    context: null,
    protocol_type: null,
    reply_to: null,
    reactions: [],
    metadata: null,
    source: null,
    direction: 'incoming',
    status: 'delivered',
    error: null,
    error_code: null,
    created_at: createdAt,
    send_at: null,
    sent_at: createdAt,
    delivered_at: createdAt,
    read_at: null,
    edited_at: null,
    deleted_at: null,
    override_opt_out: false,
    ...changes,
  };
}

export function sampleConversation(changes: Partial<ConversationDetail> = {}): ConversationDetail {
  return {
    id: 40,
    project_id: 3,
    profile_id: 5,
    name: 'Ada Lindqvist',
    phone: '46701740605',
    lid: null,
    phone_id: 7,
    status: 'open',
    unread_count: 0,
    assigned_to: null,
    snoozed_until: null,
    labels: [],
    opted_out: false,
    may_want_to_opt_out: false,
    window_expires_at: null,
    last_message: sampleMessage(),
    last_message_at: createdAt,
    sending: { can_send: true, connector: 'whatsapp', reason: null, message: null, until: null },
    ...changes,
  };
}

export const noSkips: Review['skipped'] = {
  invalid_number: 0,
  opted_out: 0,
  topic_opted_out: 0,
  capped: 0,
  not_on_whatsapp: 0,
  must_write_first: 0,
  window_closed: 0,
  profile_deleted: 0,
  no_longer_matches: 0,
  empty_message: 0,
  message_too_long: 0,
  caption_too_long: 0,
  variable_missing: 0,
  marketing_capped: 0,
};

export function sampleReport(changes: Partial<Report> = {}): Report {
  return {
    clicked: 0,
    links: [],
    as_of: '2026-11-20T09:00:00.000Z',
    total: 8_476,
    sent: 8_291,
    delivered: 7_978,
    read: 6_142,
    replied: 893,
    failed: 121,
    skipped: 64,
    waiting: 0,
    opted_out: 37,
    cost: null,
    over_time: {
      step_hours: 1,
      spans: [
        { at: '2026-11-17T09:00:00.000Z', sent: 8_000, delivered: 7_000, read: 3_000, replied: 400 },
        { at: '2026-11-18T09:00:00.000Z', sent: 291, delivered: 978, read: 3_142, replied: 493 },
      ],
    },
    by_minute: null,
    holds: [],
    failures: [
      { code: 'not_on_whatsapp', reason: 'This number is not on WhatsApp', count: 80, can_retry: false },
      { code: 'network_refused', reason: 'WhatsApp refused the message', count: 41, can_retry: true },
    ],
    skips: [{ code: 'opted_out', reason: 'Opted out', count: 64 }],
    ...changes,
  };
}

/** Of the account `104`, as Meta has approved it. */
export function sampleWhatsappTemplate(changes: Partial<WhatsappTemplate> = {}): WhatsappTemplate {
  const template: WhatsappTemplate = {
    id: 12,
    business_account_id: '104',
    name: 'order_ready',
    language: 'en_GB',
    category: 'utility',
    status: 'approved',
    reason: null,
    paused_until: null,
    quality: 'high',
    parameter_format: 'named',
    components: [
      {
        type: 'BODY',
        text: 'Hi {{first_name}}, your order {{order}} is ready.',
        example: {
          body_text_named_params: [
            { param_name: 'first_name', example: 'Ana' },
            { param_name: 'order', example: '4821' },
          ],
        },
      },
      { type: 'FOOTER', text: 'Larkspur Store' },
    ],
    variables: [],
    header_media: null,
    used_by: [],
    delivered_30d: 0,
    read_30d: 0,
    created_at: createdAt,
    updated_at: createdAt,
    synced_at: createdAt,
    ...changes,
  };
  return { ...template, variables: variablesOf(template) };
}

/** A number of the official API, of the account `104`. */
export function sampleOfficialPhone(changes: Partial<PhoneNumber> = {}): PhoneNumber {
  return samplePhone({
    id: 8,
    connector: 'cloud',
    phone_number: '351210555480',
    name: 'Larkspur UK',
    is_connected: true,
    status: 'connected',
    cloud: {
      phone_number_id: '55',
      business_account_id: '104',
      callback_url: 'https://dovepost.example/hooks/whatsapp/x',
      verify_token: 'x',
      webhook_verified_at: createdAt,
      webhook_seen_at: createdAt,
      signed_up: false,
      people_begun: 0,
      holds: [],
      facts: null,
      facts_at: null,
    },
    ...changes,
  });
}
