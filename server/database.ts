import type { TestPaymentTables } from '#server/connectors/payments/tables.ts';
import type { AuditTables } from '#server/audit-tables.ts';
import type { FigureTables } from '#server/figure-tables.ts';
import type { IdempotencyTables } from '#server/idempotency-tables.ts';
import type { AccountDataTables } from '#server/modules/outreach/account-data/tables.ts';
import type { AccountTables } from '#server/modules/identity/accounts/tables.ts';
import type { AlertTables } from '#server/modules/numbers/alerts/tables.ts';
import type { AskingTables } from '#server/modules/numbers/asking/tables.ts';
import type { BillingTables } from '#server/modules/identity/billing/tables.ts';
import type { BulkActionTables } from '#server/modules/outreach/bulk-actions/tables.ts';
import type { BulkRunTables } from '#server/modules/outreach/bulk/tables.ts';
import type { CellTables } from '#server/modules/identity/cells/tables.ts';
import type { CampaignTables } from '#server/modules/outreach/campaigns/tables.ts';
import type { ContactTables } from '#server/modules/messaging/contacts/tables.ts';
import type { ConversationTables } from '#server/modules/messaging/conversations/tables.ts';
import type { CapTables } from '#server/modules/outreach/caps/tables.ts';
import type { LinkTables } from '#server/modules/outreach/links/tables.ts';
import type { FlowTables } from '#server/modules/outreach/flows/tables.ts';
import type { MailTables } from '#server/modules/identity/mails/tables.ts';
import type { MediaTables } from '#server/modules/messaging/media/tables.ts';
import type { MembershipTables } from '#server/modules/identity/memberships/tables.ts';
import type { CostTables } from '#server/modules/messaging/costs/tables.ts';
import type { MessageCountTables } from '#server/modules/messaging/counts/tables.ts';
import type { MessageTables } from '#server/modules/messaging/messages/tables.ts';
import type { OidcTables } from '#server/modules/identity/oidc/tables.ts';
import type { OperatorTables } from '#server/modules/identity/operators/tables.ts';
import type { OutcomeTables } from '#server/modules/outreach/outcomes/tables.ts';
import type { OfficialTables } from '#server/modules/messaging/official/tables.ts';
import type { WhatsappTemplateTables } from '#server/modules/messaging/whatsapp-templates/tables.ts';
import type { PhoneHealthTables } from '#server/modules/numbers/health/tables.ts';
import type { PhoneLinkTables } from '#server/modules/numbers/links/tables.ts';
import type { PhoneNumberTables } from '#server/modules/numbers/phones/tables.ts';
import type { ProfileImportTables } from '#server/modules/audience/imports/tables.ts';
import type { ProfileTables } from '#server/modules/audience/profiles/tables.ts';
import type { ProjectTables } from '#server/modules/identity/projects/tables.ts';
import type { NotificationTables } from '#server/modules/messaging/notifications/tables.ts';
import type { RequestLogTables } from '#server/modules/identity/request-log/tables.ts';
import type { DraftTables } from '#server/modules/identity/drafts/tables.ts';
import type { SavedViewTables } from '#server/modules/identity/saved-views/tables.ts';
import type { EventTables } from '#server/modules/audience/events/tables.ts';
import type { FieldTables } from '#server/modules/audience/fields/tables.ts';
import type { MembershipStateTables } from '#server/modules/audience/membership/tables.ts';
import type { SegmentTables } from '#server/modules/audience/segments/tables.ts';
import type { SuppressionTables } from '#server/modules/audience/suppressions/tables.ts';
import type { TemplateTables } from '#server/modules/outreach/templates/tables.ts';
import type { TopicTables } from '#server/modules/audience/topics/tables.ts';
import type { UserTables } from '#server/modules/identity/users/tables.ts';
import type { WebhookTables } from '#server/modules/messaging/webhooks/tables.ts';

/** Every table there is; each is declared, and written, by the module that owns it alone. */
export type Database = AccountDataTables &
  AccountTables &
  AlertTables &
  AskingTables &
  AuditTables &
  BillingTables &
  BulkRunTables &
  BulkActionTables &
  CampaignTables &
  CapTables &
  CellTables &
  ContactTables &
  CostTables &
  ConversationTables &
  EventTables &
  FieldTables &
  FigureTables &
  FlowTables &
  IdempotencyTables &
  LinkTables &
  MailTables &
  MediaTables &
  MembershipStateTables &
  MembershipTables &
  MessageCountTables &
  MessageTables &
  NotificationTables &
  OfficialTables &
  WhatsappTemplateTables &
  OidcTables &
  OperatorTables &
  OutcomeTables &
  PhoneHealthTables &
  PhoneLinkTables &
  PhoneNumberTables &
  ProfileImportTables &
  ProfileTables &
  ProjectTables &
  RequestLogTables &
  SavedViewTables &
  DraftTables &
  SegmentTables &
  SuppressionTables &
  TemplateTables &
  TestPaymentTables &
  TopicTables &
  UserTables &
  WebhookTables;
