import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Draft, DraftKind, KeptDraft } from '#contracts/drafts.ts';
import type { Context, Tx, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { takeTurn } from '#server/platform/db/shared-names.ts';
import { NotFoundError, ProblemError } from '#server/platform/errors.ts';
import type { DraftTables } from './tables.ts';

const mostDrafts = 100;
const keptMs = 30 * 86_400_000;
const longestName = 120;

type DraftRow = Selectable<DraftTables['drafts']>;
type Named = { kind: DraftKind; key: string };

const contentOf = ({ content }: DraftRow) => JSON.parse(content) as Record<string, unknown>;

function present(row: DraftRow): Draft {
  const { kind, key, revision, updated_at } = row;
  return { kind, key, revision, updated_at: updated_at.toISOString(), content: contentOf(row) };
}

function presentKept(row: DraftRow): KeptDraft {
  const { content, ...rest } = present(row);
  const name = typeof content['name'] === 'string' ? content['name'].trim() : '';
  return { ...rest, name: name === '' ? null : name.slice(0, longestName).toWellFormed() };
}

/** The person's own: in this account, by whatever session. */
function ownDrafts({ db, account, actor }: UserContext) {
  return db.selectFrom('drafts').selectAll().where('account_id', '=', account.id).where('user_id', '=', actor.userId);
}

const findDraft = (ctx: UserContext, { kind, key }: Named): Promise<DraftRow | undefined> =>
  ownDrafts(ctx).where('kind', '=', kind).where('key', '=', key).executeTakeFirst();

export async function listDrafts(ctx: UserContext, { kind }: { kind?: DraftKind | undefined }): Promise<KeptDraft[]> {
  const drafts = ownDrafts(ctx).orderBy('revision', 'desc');
  const rows = await (kind === undefined ? drafts : drafts.where('kind', '=', kind)).execute();
  return rows.map(presentKept);
}

export async function getDraft(ctx: UserContext, named: Named): Promise<Draft> {
  const row = await findDraft(ctx, named);
  if (!row) throw new NotFoundError('Draft');
  return present(row);
}

type SaveDraft = Named & { content: Record<string, unknown>; revision: number | null };

/**
 * Keeps a text that was typed over `revision`. Throws 409 `draft_changed`, with the draft as it is, where that is
 * another one; a draft that is gone, since it was discarded elsewhere, is begun again: nothing typed is refused for it.
 */
export async function saveDraft(ctx: UserContext, { kind, key, content, revision }: SaveDraft): Promise<Draft> {
  return inTransaction(ctx, async (tx) => {
    await lockDrafts(tx);
    requireRevision(await findDraft(tx, { kind, key }), revision);
    const written = {
      content: JSON.stringify(content),
      revision: sql<number>`nextval('draft_revisions')`,
      updated_at: tx.clock.now(),
    };
    const row = await tx.db
      .insertInto('drafts')
      .values({ account_id: tx.account.id, user_id: tx.actor.userId, kind, key, ...written })
      .onConflict((conflict) => conflict.columns(['account_id', 'user_id', 'kind', 'key']).doUpdateSet(written))
      .returningAll()
      .executeTakeFirstOrThrow();
    await removeSurplus(tx);
    return present(row);
  });
}

/** Throws 409 `draft_changed` where a revision is named and another one is there. */
export async function deleteDraft(
  ctx: UserContext,
  { revision, ...named }: Named & { revision?: number | undefined },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockDrafts(tx);
    if (revision !== undefined) requireRevision(await findDraft(tx, named), revision);
    await tx.db
      .deleteFrom('drafts')
      .where('account_id', '=', tx.account.id)
      .where('user_id', '=', tx.actor.userId)
      .where('kind', '=', named.kind)
      .where('key', '=', named.key)
      .execute();
  });
}

function requireRevision(row: DraftRow | undefined, revision: number | null): void {
  if (!row || row.revision === revision) return;
  const { content, updated_at } = present(row);
  throw new ProblemError(409, 'draft_changed', 'This draft was changed elsewhere, such as in another tab', {
    draft: { content, revision: row.revision, updated_at },
  });
}

async function removeSurplus(tx: Tx<UserContext>): Promise<void> {
  const surplus = ownDrafts(tx).clearSelect().select('revision').orderBy('revision', 'desc').offset(mostDrafts);
  await tx.db
    .deleteFrom('drafts')
    .where('account_id', '=', tx.account.id)
    .where('user_id', '=', tx.actor.userId)
    .where('revision', 'in', surplus)
    .execute();
}

/** Serializes a person's saves, so that of two tabs one sees what the other has written. */
async function lockDrafts(tx: Tx<UserContext>): Promise<void> {
  await takeTurn(tx.db, `drafts of ${tx.actor.userId}`, tx.account.id);
}

export async function removeOldTypedDrafts(ctx: Context): Promise<void> {
  await ctx.db
    .deleteFrom('drafts')
    .where('updated_at', '<', new Date(ctx.clock.now().getTime() - keptMs))
    .execute();
}

/** Drafts of a profile, and of new ones with a number of its person, whoever typed them. */
export async function eraseDraftsOf(
  { db }: Context,
  { accountId, profileId, numbers }: { accountId: number; profileId: number; numbers: readonly string[] },
): Promise<void> {
  const written = numbers.map((number) => `%${number}%`);
  await db
    .deleteFrom('drafts')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'profile')
    .where((where) =>
      where.or([
        where('key', '=', String(profileId)),
        sql<boolean>`regexp_replace(content::text, '[^0-9"]', '', 'g') like any (${written}::text[])`,
      ]),
    )
    .execute();
}
