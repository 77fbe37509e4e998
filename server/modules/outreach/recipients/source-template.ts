import type { BoundTemplate, NewBoundTemplate } from '#contracts/bound-templates.ts';
import { besideTemplate } from '#contracts/carried-content.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { findReviewed, takeCarried } from '#server/modules/messaging/media/index.ts';
import {
  bindTemplate,
  loadBinding,
  presentBinding,
  rebindTemplate,
} from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { BoundSource, StoredBinding } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

type Asked = { projectId: number; template: NewBoundTemplate | null | undefined; path?: string };

/** The template that a campaign, a flow or a bulk run asks for, with its file held. Errors: as `bindTemplate`. */
export async function takeTemplate(
  tx: Tx<AccountContext>,
  { projectId, template, path = 'template' }: Asked,
): Promise<StoredBinding | null> {
  if (!template) return null;
  return bindTemplate(tx, {
    accountId: tx.account.id,
    projectId,
    wanted: template,
    path,
    takeFile: (media, at) => takeCarried(tx, { media, path: at }),
  });
}

type Changed = {
  before: { project_id: number; template: StoredBinding | null };
  projectId: number;
  wanted: NewBoundTemplate | null | undefined;
  path?: string;
};

/** The template after a change; undefined where it stays. Another project has to have it, too. */
export async function changedTemplate(
  tx: Tx<AccountContext>,
  { before, projectId, wanted, ...of }: Changed,
): Promise<StoredBinding | null | undefined> {
  if (wanted !== undefined) return takeTemplate(tx, { ...of, projectId, template: wanted });
  if (projectId === before.project_id || !before.template) return undefined;
  return rebindTemplate(tx, { accountId: tx.account.id, projectId, binding: before.template });
}

/** The same for a review, which holds nothing; without a project the review says nothing of a template. */
export async function findReviewedTemplate(
  ctx: AccountContext,
  { projectId, template }: { projectId: number | undefined; template: NewBoundTemplate | null | undefined },
): Promise<BoundSource | null> {
  if (!template) return null;
  if (projectId === undefined)
    throw new InvalidInputError([{ path: 'project_id', message: 'Choose the project whose template it is' }]);
  const { account } = ctx;
  const binding = await bindTemplate(ctx, {
    accountId: account.id,
    projectId,
    wanted: template,
    async takeFile(media, path) {
      const found = await findReviewed(ctx, { media, message: '', path });
      if (!found) throw new Error('A file that is named was not looked for');
      return found;
    },
  });
  return loadBinding(ctx, { accountId: account.id, binding });
}

/** Throws 422 for a text or a file beside a template. */
export function refuseBesideTemplate({ message, media }: { message: string; media: object | null }, path = ''): void {
  const faults = [
    ...(message === '' ? [] : [{ path: `${path}message`, message: besideTemplate }]),
    ...(media === null ? [] : [{ path: `${path}media`, message: besideTemplate }]),
  ];
  if (faults.length > 0) throw new InvalidInputError(faults);
}

export const presentTemplateOf = ({ template }: { template: StoredBinding | null }): BoundTemplate | null =>
  presentBinding(template);

/** The template of a source as it is now; null where it sends texts. */
export async function boundOf(
  ctx: Context,
  { account_id: accountId, template: binding }: { account_id: number; template: StoredBinding | null },
): Promise<BoundSource | null> {
  return binding && loadBinding(ctx, { accountId, binding });
}

/** The states of its languages: where one changes, those who waited for it are looked at again. */
export const passKeyOf = (bound: BoundSource | null) =>
  bound === null ? '' : [...bound.templates.values()].map(({ id, status }) => `${id} ${status}`).join();

type PinnedSource = { account_id: number; project_id: number; template: StoredBinding | null };

/** The template as it is today, for a source that somebody lets go on; undefined where nothing changed. */
export async function pinAnew(
  ctx: Context,
  { account_id: accountId, project_id: projectId, template: binding }: PinnedSource,
): Promise<StoredBinding | undefined> {
  if (!binding) return undefined;
  const { hold } = await loadBinding(ctx, { accountId, binding });
  return hold?.waitingFor === 'template_changed' ? rebindTemplate(ctx, { accountId, projectId, binding }) : undefined;
}
