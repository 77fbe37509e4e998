import type { Generated } from 'kysely';
import type { BoundTemplate } from '#contracts/bound-templates.ts';
import type { TemplateComponent, ParameterFormat } from '#contracts/whatsapp-template-parts.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import type { Json } from '#server/platform/db/columns.ts';

/** The business accounts of the official API whose templates are kept. */
export type WhatsappBusinessAccountsTable = {
  account_id: number;
  business_account_id: string;
  synced_at: Date | null;
  sync_due_at: Date;
};

/** Templates as the network has them. */
export type WhatsappTemplatesTable = {
  account_id: number;
  id: Generated<number>;
  business_account_id: string;
  /** The network's own id of the template. */
  network_id: string;
  name: string;
  language: string;
  category: WhatsappTemplate['category'];
  status: WhatsappTemplate['status'];
  reason: string | null;
  /** When a pause ends, where the network said how long it is. */
  paused_until: Date | null;
  quality: WhatsappTemplate['quality'];
  parameter_format: ParameterFormat;
  components: Json<TemplateComponent[]>;
  /** Grows with each change of its text or its variables. */
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
  synced_at: Date;
};

/** A template that a campaign, a flow or a bulk run sends, as its row keeps it; another version was not reviewed. */
export type StoredBinding = Pick<
  BoundTemplate,
  'name' | 'language' | 'business_account_id' | 'category' | 'text' | 'variables' | 'header_media'
> & { pinned: { id: number; language: string; version: number }[] };

export type WhatsappTemplateTables = {
  whatsapp_business_accounts: WhatsappBusinessAccountsTable;
  whatsapp_templates: WhatsappTemplatesTable;
};
