import type { WhatsappTemplateCategory, WhatsappTemplateStatus } from '#contracts/whatsapp-templates.ts';
import { listSearch } from '#web/shared/table/list-search.ts';

export const statuses = [
  'approved',
  'pending',
  'rejected',
  'paused',
  'disabled',
  'other',
] as const satisfies readonly WhatsappTemplateStatus[];

export const categories = [
  'marketing',
  'utility',
  'authentication',
] as const satisfies readonly WhatsappTemplateCategory[];

export const whatsappTemplateSearch = listSearch([], {
  status: statuses,
  category: categories,
  language: 'text',
  business_account_id: 'text',
});
export type WhatsappTemplateSearch = ReturnType<typeof whatsappTemplateSearch>;
