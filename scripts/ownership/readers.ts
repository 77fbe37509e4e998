/**
 * Which other modules may read a table, by the names of their folders. No import shows such a dependency on the table's
 * columns, so that it is listed here. A new pair deserves a thought: the owner may have a verb that answers it.
 */
export const readers: Readonly<Record<string, readonly string[]>> = {
  accounts: ['account-data', 'alerts', 'billing', 'bulk', 'bulk-actions', 'campaigns', 'costs', 'flows', 'health', 'live', 'memberships', 'messages', 'opt-out', 'payments', 'phones', 'profiles', 'projects', 'reading', 'recipients', 'topics', 'users'],
  // The kernel writes the rows, with each act.
  audit_events: ['audit'],
  bulk_run_rows: ['links'],
  // A click leads to the message of its entry; who waits for something more urgent leaves room for it.
  campaign_recipients: ['account-data', 'caps', 'conditions', 'links'],
  // Alerts stand below what they watch: they look at states alone, and nothing waits for them.
  campaigns: ['account-data', 'alerts', 'caps'],
  cloud_numbers: ['official', 'whatsapp-templates'],
  contact_windows: ['conversations'],
  // A number that wrote is known, whatever else the account has of it.
  conversations: ['account-data', 'contacts', 'messages', 'reading'],
  field_types: ['conditions'],
  flow_deliveries: ['account-data', 'caps', 'conditions', 'links'],
  flows: ['account-data', 'caps'],
  engagements: ['conditions'],
  event_accounts: ['conditions'],
  event_days: ['conditions'],
  event_names: ['conditions'],
  events: ['conditions'],
  marketing_stops: ['opt-out'],
  // Whom a conversation is assigned to is a member still, or nobody.
  members: ['account-data', 'accounts', 'conversations', 'live', 'users'],
  message_clicks: ['recipients'],
  message_answers: ['bulk', 'campaigns', 'conditions', 'flows', 'recipients'],
  // Health counts what a phone sent and what became of it; a copy of these counts would drift.
  messages: ['account-data', 'bulk', 'campaigns', 'conditions', 'conversations', 'flows', 'health', 'official', 'outcomes', 'recipients'],
  phone_contacts: ['messages', 'phones', 'recipients', 'reviews'],
  phone_health: ['alerts', 'campaigns', 'messages', 'phones'],
  phone_leases: ['health', 'messages'],
  phone_sends: ['campaigns', 'messages'],
  phones: ['alerts', 'campaigns', 'contacts', 'conversations', 'health', 'links', 'messages', 'projects', 'reading', 'reviews', 'suppressions', 'whatsapp-templates'],
  plans: ['payments', 'projects'],
  profile_field_totals: ['conditions', 'imports', 'lists'],
  profiles: ['bulk-actions', 'campaigns', 'conditions', 'contacts', 'conversations', 'events', 'flows', 'lists', 'messages', 'reading', 'recipients', 'reviews', 'segments', 'suppressions', 'topics'],
  project_keys: ['request-log'],
  projects: ['account-data', 'alerts', 'conversations', 'media', 'memberships', 'messages', 'phones', 'reading', 'suppressions', 'webhooks'],
  segments: ['campaigns'],
  sessions: ['live', 'memberships'],
  source_rules: ['caps'],
  subscriptions: ['projects'],
  suppression_log: ['account-data', 'flows', 'opt-out'],
  suppressions: ['opt-out', 'profiles'],
  topic_consent_log: ['conditions', 'flows'],
  topics: ['caps'],
  users: ['account-data', 'accounts', 'conversations', 'memberships', 'topics'],
  webhook_endpoints: ['alerts'],
  // A claim leaves out messages whose template was paused since, in its own statement.
  whatsapp_templates: ['messages'],
  contact_facts: ['account-data'],
  number_checks: ['account-data'],
  media_files: ['account-data'],
};
