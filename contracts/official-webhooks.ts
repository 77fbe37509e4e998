/** The field of Meta's webhooks, the purpose of it, and whether it comes of numbers alone that stay in the Business app. */
export type OfficialWebhookField = { field: string; use: string; isOfBusinessApp?: true };

/** The fields that an owner ticks on Meta's page. */
export const officialWebhookFields: readonly OfficialWebhookField[] = [
  { field: 'messages', use: 'Answers and states' },
  { field: 'message_template_status_update', use: 'Approved, rejected, paused' },
  { field: 'message_template_quality_update', use: 'Quality of templates' },
  { field: 'message_template_components_update', use: 'New texts of templates' },
  { field: 'template_category_update', use: 'Categories, which prices follow' },
  { field: 'phone_number_quality_update', use: 'Limits' },
  { field: 'phone_number_name_update', use: 'The display name' },
  { field: 'business_capability_update', use: 'Limits of the portfolio' },
  { field: 'account_update', use: 'Restrictions, bans' },
  { field: 'account_review_update', use: 'The review of the account' },
  { field: 'account_alerts', use: 'Warnings' },
  { field: 'security', use: 'Changes of the PIN' },
  { field: 'user_preferences', use: 'Who stopped marketing' },
  { field: 'smb_message_echoes', use: 'What is written in the Business app', isOfBusinessApp: true },
  { field: 'smb_app_state_sync', use: 'Its address book', isOfBusinessApp: true },
  { field: 'history', use: 'Its earlier chats', isOfBusinessApp: true },
];
