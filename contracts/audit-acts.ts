/** The kinds of things that acts are about. */
export const targetTypes = [
  'account',
  'user',
  'member',
  'invitation',
  'subscription',
  'alert',
  'alert_settings',
  'project',
  'key',
  'account_key',
  'phone',
  'conversation',
  'label',
  'note',
  'message',
  'media',
  'contact',
  'profile',
  'import',
  'suppression',
  'topic',
  'consent',
  'opt_out_settings',
  'field',
  'segment',
  'campaign',
  'flow',
  'bulk_run',
  'bulk_action',
  'link_settings',
  'message_cap',
  'template',
  'whatsapp_template',
  'view',
  'webhook',
  'webhook_endpoint',
] as const;
export type TargetType = (typeof targetTypes)[number];

/** `<target>.<what was done>`, such as `campaign.paused`. */
export type ActName = `${TargetType}.${string}`;

/**
 * The row of an endpoint in the audit log:
 * - a name: its row is written in one transaction with all that the endpoint changes;
 * - `by_verb`: the row is written by the verb, in the transaction that changes something, after it has asked or waited;
 * - `of_people`: as a name alone, where somebody who signed in does it; programs do it by the thousand;
 * - `around`: it reaches outside before it commits, so that `intent` is written before and the act after it; with `by_verb`
 *   the intent is written before, and the act by the verb;
 * - `none`: the act has a name and no row, for the reason given;
 * - `nothing`: the endpoint changes nothing.
 */
export type Audit =
  | ActName
  | { readonly act: ActName; readonly row: 'by_verb' | 'of_people'; readonly intent?: undefined }
  | { readonly act: ActName; readonly row: 'around' | 'by_verb'; readonly intent: ActName }
  | { readonly act: ActName; readonly row: 'none'; readonly because: string }
  | 'nothing';

/** The acts of the product itself, which no endpoint has. */
export const productActs = [
  'campaign.completed',
  'campaign.failed',
  'campaign.paused',
  'bulk_run.completed',
  'phone.auth_failed',
  'phone.banned',
  'phone.limited',
  'phone.recovered',
] as const satisfies readonly ActName[];
export type ProductAct = (typeof productActs)[number];

/** The acts that have rows in the audit log. */
export function actsOf(audit: Audit | undefined): ActName[] {
  if (audit === undefined || audit === 'nothing') return [];
  if (typeof audit === 'string') return [audit];
  if (audit.row === 'none') return [];
  return audit.intent === undefined ? [audit.act] : [audit.intent, audit.act];
}
