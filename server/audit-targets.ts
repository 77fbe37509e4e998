import type { TargetType } from '#contracts/audit-acts.ts';

/** How the audit log reads the things of a type. Columns that `shows` and `hides` do not name never reach the log. */
export type AuditedTarget = {
  /** The parameter of paths that names one. */
  param?: string;
  table?: string;
  /** Its rows are of a project, by `project_id`. */
  isOfProject?: true;
  /** The column of `param`; null where the account has one such row. */
  key?: string | null;
  /** The columns whose first value is its name. */
  names?: readonly string[];
  /** The columns whose values are logged, before and after. */
  shows?: readonly string[];
  /** Texts, secrets and what is known of contacts: only that they changed is logged. By their names in the log. */
  hides?: Readonly<Record<string, string>>;
};

const content = { message: 'message', media: 'media' };

export const auditedTargets: Readonly<Record<TargetType, AuditedTarget>> = {
  account: {
    table: 'accounts',
    names: ['account_name', 'name'],
    shows: [
      'name',
      'account_name',
      'language',
      'timezone',
      'default_country',
      'messages_kept_days',
      'requires_two_factor_since',
    ],
    hides: { api_key: 'api_key_hash' },
  },
  user: { param: 'sessionId' },
  member: { param: 'userId', table: 'memberships', key: 'user_id', shows: ['role', 'project_ids'] },
  invitation: { param: 'invitationId', table: 'invitations', names: ['email'], shows: ['role', 'project_ids'] },
  subscription: {},
  alert: { param: 'alertId', table: 'alerts', names: ['kind'] },
  alert_settings: { table: 'alert_settings', key: null, shows: ['changes'] },
  project: {
    param: 'projectId',
    table: 'projects',
    names: ['name'],
    shows: [
      'name',
      'webhook_url',
      'media_kept_days',
      'is_sticky',
      'marks_read',
      'shows_typing',
      'imports_history',
      'direct_first_contacts',
    ],
    hides: { auth_key: 'auth_key_hash', webhook_secret: 'webhook_secret_sealed' },
  },
  key: {
    param: 'keyId',
    table: 'project_keys',
    isOfProject: true,
    names: ['name'],
    shows: ['name', 'scopes', 'addresses', 'expires_at', 'replaced_at'],
    hides: { key: 'key_hash' },
  },
  account_key: {
    param: 'accountKeyId',
    table: 'account_keys',
    names: ['name'],
    shows: ['name', 'scopes', 'addresses', 'expires_at'],
  },
  phone: {
    param: 'phoneId',
    table: 'phones',
    isOfProject: true,
    names: ['name', 'number'],
    shows: ['name', 'number', 'connector', 'priority', 'max_daily_messages', 'is_active', 'status', 'proxy'],
    hides: { proxy_password: 'proxy_sealed' },
  },
  conversation: {
    param: 'conversationId',
    table: 'conversations',
    isOfProject: true,
    names: ['contact_name', 'phone'],
    shows: ['status', 'assigned_to', 'snoozed_until', 'label_ids'],
  },
  note: { param: 'noteId', table: 'conversation_notes', hides: { text: 'text' } },
  label: { param: 'labelId', table: 'conversation_labels', names: ['name'], shows: ['name', 'color'] },
  message: {},
  media: {},
  contact: { param: 'phone' },
  profile: {
    param: 'profileId',
    table: 'profiles',
    names: ['name', 'phone'],
    shows: ['status', 'tags'],
    hides: { name: 'name', phone: 'phone', email: 'email', custom_fields: 'custom_fields' },
  },
  import: { param: 'importId', table: 'profile_imports', names: ['file_name'], shows: ['status'] },
  topic: {
    param: 'topicId',
    table: 'topics',
    names: ['name'],
    shows: ['name', 'description', 'needs_opt_in', 'deleted_at'],
  },
  consent: { param: 'phone' },
  suppression: { param: 'phone', table: 'suppressions', key: 'phone', names: ['phone'], shows: ['source'] },
  opt_out_settings: {
    table: 'opt_out_settings',
    key: null,
    shows: ['recognizes_replies', 'opt_out_words', 'opt_in_words', 'confirms_opt_out', 'confirms_opt_in'],
    hides: { opt_out_text: 'opt_out_text', opt_in_text: 'opt_in_text' },
  },
  field: { param: 'path', table: 'field_types', key: 'path', names: ['label', 'path'], shows: ['type', 'label'] },
  segment: {
    param: 'segmentId',
    table: 'segments',
    names: ['name'],
    shows: ['name', 'field_path', 'operator', 'value', 'expression'],
  },
  campaign: {
    param: 'campaignId',
    table: 'campaigns',
    isOfProject: true,
    names: ['name'],
    shows: ['name', 'status', 'project_id', 'segment_id', 'scheduled_at', 'spread_minutes'],
    hides: content,
  },
  flow: {
    param: 'flowId',
    table: 'flows',
    isOfProject: true,
    names: ['name'],
    shows: ['name', 'is_active', 'project_id', 'conditions', 'duration', 'frequency'],
    hides: content,
  },
  bulk_run: {
    param: 'runId',
    table: 'bulk_runs',
    isOfProject: true,
    names: ['name'],
    shows: ['name', 'status', 'project_id', 'delay_ms', 'total_count'],
    hides: content,
  },
  bulk_action: {
    param: 'actionId',
    table: 'bulk_actions',
    names: ['action'],
    shows: ['resource', 'action', 'tags', 'status'],
  },
  message_cap: {},
  link_settings: { table: 'link_settings', key: null, shows: ['domain'] },
  template: {
    param: 'templateId',
    table: 'saved_templates',
    names: ['name'],
    shows: ['name'],
    hides: { message: 'message' },
  },
  whatsapp_template: {
    param: 'whatsappTemplateId',
    table: 'whatsapp_templates',
    names: ['name'],
    shows: ['name', 'status', 'category', 'language'],
  },
  view: { param: 'viewId', table: 'saved_views', names: ['name'], shows: ['name'] },
  webhook: { param: 'webhookId', table: 'webhook_records', isOfProject: true, names: ['type'], shows: [] },
  webhook_endpoint: {
    param: 'endpointId',
    table: 'webhook_endpoints',
    isOfProject: true,
    names: ['url'],
    shows: ['url', 'events', 'paused_at', 'disabled_at'],
    hides: { secret: 'secret_sealed' },
  },
};
