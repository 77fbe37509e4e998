import type { NewWhatsappTemplate, WhatsappTemplate, WhatsappTemplateChange } from '#contracts/whatsapp-templates.ts';
import type { TemplateComponent } from '#contracts/whatsapp-template-parts.ts';
import { templateFaults, withExamples } from '#contracts/whatsapp-template-rules.ts';
import type { TemplateAccess, TemplateAnswer } from '#server/connectors/messaging/port.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { findBusinessAccounts, findOfficialCredentials, notOfficial } from '#server/modules/numbers/phones/index.ts';
import { InvalidInputError, ProblemError } from '#server/platform/errors.ts';
import { announceFile, handleOf } from './header-file.ts';
import { getTemplateRow, presentWithUsers } from './list-templates.ts';
import type { TemplateRow } from './present.ts';

type Reached = { businessAccountId: string; phoneId: number; credentials: string; templates: TemplateAccess };

/**
 * Hands a new template in for review. Throws 409 `not_an_official_number`; 422 for what the network would refuse, with
 * the paths, and `template_refused` for what it refuses; 502 `network_refused` where it does not answer.
 */
export async function createWhatsappTemplate(
  ctx: AccountContext,
  { business_account_id: businessAccountId, phone_id: phoneId, examples, header_media, ...draft }: NewWhatsappTemplate,
): Promise<WhatsappTemplate> {
  const reached = await reachAccount(ctx, { businessAccountId, phoneId });
  const parts = checked({ ...draft, components: announceFile(draft.components, header_media), examples });
  const components = await withHeaderFile(ctx, { reached, components: parts, file: header_media });
  const { name, language, category, parameter_format: format } = draft;
  const wanted = { name, language, category, parameterFormat: format, components };
  const made = answered(await reached.templates.create(reached.credentials, wanted));
  const now = ctx.clock.now();
  const row = {
    network_id: made.networkId,
    category: made.category,
    status: made.status,
    reason: null,
    quality: 'unknown' as const,
    parameter_format: format,
    components: JSON.stringify(components),
    updated_at: now,
    synced_at: now,
  };
  const key = { account_id: ctx.account.id, business_account_id: reached.businessAccountId, name, language };
  return inTransaction(ctx, async (tx) => {
    const saved = await tx.db
      .insertInto('whatsapp_templates')
      .values({ ...key, ...row, created_at: now })
      // A sync may have read it in between.
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'business_account_id', 'name', 'language']).doUpdateSet(row),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await publishLive(tx, ctx.account.id, { type: 'whatsapp_templates.changed' });
    return presentWithUsers(tx, saved);
  });
}

type Change = WhatsappTemplateChange & { whatsappTemplateId: number };

const editable: ReadonlySet<TemplateRow['status']> = new Set(['approved', 'rejected', 'paused']);

/** Changes a template, which is reviewed again. Errors: as `createWhatsappTemplate`. */
export async function updateWhatsappTemplate(
  ctx: AccountContext,
  { whatsappTemplateId, category, components: parts, examples, header_media }: Change,
): Promise<WhatsappTemplate> {
  const before = await getTemplateRow(ctx, whatsappTemplateId);
  if (!editable.has(before.status))
    throw refusedByState('Only a template that is approved, rejected or paused can be changed');
  if (category !== undefined && category !== before.category && before.status === 'approved')
    throw refusedByState('The category of an approved template cannot be changed');
  const next = { category: category ?? before.category, parameter_format: before.parameter_format };
  const announced = announceFile(parts ?? before.components, header_media);
  const wanted = checked({ ...next, components: announced, examples });
  const reached = await reachAccount(ctx, { businessAccountId: before.business_account_id });
  const components = await withHeaderFile(ctx, { reached, components: wanted, file: header_media });
  const change = { networkId: before.network_id, components, ...(category !== undefined && { category }) };
  answered(await reached.templates.edit(reached.credentials, change));
  const now = ctx.clock.now();
  return inTransaction(ctx, async (tx) => {
    const saved = await tx.db
      .updateTable('whatsapp_templates')
      .set(({ eb }) => ({
        category: next.category,
        components: JSON.stringify(components),
        status: 'pending',
        reason: null,
        version: eb('version', '+', 1),
        updated_at: now,
      }))
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirst();
    await publishLive(tx, ctx.account.id, { type: 'whatsapp_templates.changed' });
    return presentWithUsers(tx, saved ?? before);
  });
}

/** Deletes one language of a template, at the network too. Errors: as `createWhatsappTemplate`. */
export async function deleteWhatsappTemplate(
  ctx: AccountContext,
  { whatsappTemplateId }: { whatsappTemplateId: number },
): Promise<void> {
  const { name, id, network_id: networkId, ...row } = await getTemplateRow(ctx, whatsappTemplateId);
  const reached = await reachAccount(ctx, { businessAccountId: row.business_account_id });
  answered(await reached.templates.remove(reached.credentials, { name, networkId }));
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .deleteFrom('whatsapp_templates')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
    await publishLive(tx, ctx.account.id, { type: 'whatsapp_templates.changed' });
  });
}

type WithFile = { reached: Reached; components: TemplateComponent[]; file: NewWhatsappTemplate['header_media'] };

/** The parts with the handle of the uploaded file. Errors: as `createWhatsappTemplate`. */
async function withHeaderFile(ctx: AccountContext, { reached, components, file }: WithFile) {
  if (!file) return components;
  const handle = answered(await handleOf(ctx, { ...reached, components, mediaId: file.id }));
  return components.map((component) =>
    component.type === 'HEADER' ? { ...component, example: { header_handle: [handle] } } : component,
  );
}

const refusedByState = (message: string) => new ProblemError(422, 'template_refused', message);

/** The parts with their examples. Throws 422 with the paths of what the network would refuse. */
function checked({
  examples = {},
  ...draft
}: Pick<NewWhatsappTemplate, 'category' | 'parameter_format' | 'components'> & {
  examples?: NewWhatsappTemplate['examples'];
}) {
  const components = withExamples(draft.components, { format: draft.parameter_format, examples });
  const faults = templateFaults({ ...draft, components });
  if (faults.length > 0) throw new InvalidInputError(faults);
  return components;
}

function answered<T>(answer: TemplateAnswer<T>): T {
  if (answer.kind === 'answered') return answer.body;
  if (answer.kind === 'refused') throw new ProblemError(422, 'template_refused', answer.reason);
  throw new ProblemError(502, 'network_refused', answer.reason);
}

type Wanted = { businessAccountId?: string | undefined; phoneId?: number | undefined };

async function reachAccount(ctx: AccountContext, { businessAccountId, phoneId }: Wanted): Promise<Reached> {
  const all = await findBusinessAccounts(ctx, ctx.account.id);
  const found = all.filter(
    (business) =>
      (businessAccountId === undefined || business.businessAccountId === businessAccountId) &&
      (phoneId === undefined || business.phoneIds.includes(phoneId)),
  );
  if (found.length > 1) {
    const ids = found.map((business) => business.businessAccountId).join(', ');
    throw new InvalidInputError([{ path: 'business_account_id', message: `Name one of ${ids}` }]);
  }
  const [business] = found;
  const owned = { accountId: ctx.account.id, phoneId: business?.phoneIds.at(-1) ?? 0 };
  const credentials = business && (await findOfficialCredentials(ctx, owned));
  const { templates } = ctx.connectors.cloud;
  if (!business || credentials === undefined || !templates) throw notOfficial();
  return { businessAccountId: business.businessAccountId, phoneId: owned.phoneId, credentials, templates };
}
