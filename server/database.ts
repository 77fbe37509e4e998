import type { TestPaymentTables } from '#server/connectors/payments/tables.ts';
import type { IdempotencyTables } from '#server/idempotency-tables.ts';
import type { AccountTables } from '#server/modules/accounts/tables.ts';
import type { AlertTables } from '#server/modules/alerts/tables.ts';
import type { BillingTables } from '#server/modules/billing/tables.ts';
import type { BulkActionTables } from '#server/modules/bulk-actions/tables.ts';
import type { BulkRunTables } from '#server/modules/bulk-runs/tables.ts';
import type { CampaignTables } from '#server/modules/campaigns/tables.ts';
import type { ConversationTables } from '#server/modules/conversations/tables.ts';
import type { FlowTables } from '#server/modules/flows/tables.ts';
import type { MediaTables } from '#server/modules/media/tables.ts';
import type { MessageCountTables } from '#server/modules/message-counts/tables.ts';
import type { MessageTables } from '#server/modules/messages/tables.ts';
import type { OutcomeTables } from '#server/modules/outcomes/tables.ts';
import type { PhoneHealthTables } from '#server/modules/phone-health/tables.ts';
import type { PhoneLinkTables } from '#server/modules/phone-links/tables.ts';
import type { PhoneNumberTables } from '#server/modules/phone-numbers/tables.ts';
import type { ProfileImportTables } from '#server/modules/profile-imports/tables.ts';
import type { ProfileTables } from '#server/modules/profiles/tables.ts';
import type { ProjectTables } from '#server/modules/projects/tables.ts';
import type { RequestLogTables } from '#server/modules/request-log/tables.ts';
import type { SavedViewTables } from '#server/modules/saved-views/tables.ts';
import type { SegmentTables } from '#server/modules/segments/tables.ts';
import type { SuppressionTables } from '#server/modules/suppressions/tables.ts';
import type { TemplateTables } from '#server/modules/templates/tables.ts';
import type { WebhookTables } from '#server/modules/webhooks/tables.ts';

/** Every table there is; each is declared, and written, by the module that owns it alone. */
export type Database = AccountTables &
  AlertTables &
  BillingTables &
  BulkRunTables &
  BulkActionTables &
  CampaignTables &
  ConversationTables &
  FlowTables &
  IdempotencyTables &
  MediaTables &
  MessageCountTables &
  MessageTables &
  OutcomeTables &
  PhoneHealthTables &
  PhoneLinkTables &
  PhoneNumberTables &
  ProfileImportTables &
  ProfileTables &
  ProjectTables &
  RequestLogTables &
  SavedViewTables &
  SegmentTables &
  SuppressionTables &
  TemplateTables &
  TestPaymentTables &
  WebhookTables;
