import type { Selectable } from 'kysely';
import { headerMediaOf, variablesOf } from '#contracts/whatsapp-template-parts.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import type { TemplateCounts } from '#server/modules/messaging/counts/index.ts';
import type { WhatsappTemplatesTable } from './tables.ts';

export type TemplateRow = Selectable<WhatsappTemplatesTable>;

/** Facts about a template that are ours, beside those of the network. */
export type Told = { used_by: WhatsappTemplate['used_by']; counts: TemplateCounts };

export function presentTemplate(row: TemplateRow, { used_by, counts }: Told): WhatsappTemplate {
  return {
    id: row.id,
    business_account_id: row.business_account_id,
    name: row.name,
    language: row.language,
    category: row.category,
    status: row.status,
    reason: row.reason,
    paused_until: row.status === 'paused' ? (row.paused_until?.toISOString() ?? null) : null,
    quality: row.quality,
    parameter_format: row.parameter_format,
    components: row.components,
    variables: variablesOf(row),
    header_media: headerMediaOf(row) ?? null,
    used_by,
    delivered_30d: counts.delivered,
    read_30d: counts.read,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    synced_at: row.synced_at.toISOString(),
  };
}
