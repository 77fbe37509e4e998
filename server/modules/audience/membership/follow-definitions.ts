import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Criteria } from '#contracts/expressions.ts';
import type { AccountContext } from '#server/context.ts';
import type { Source, Sources } from './sources.ts';
import { inTurn } from './turn.ts';
import type { Turn } from './turn.ts';

/** The newest of each source are followed. */
const mostFollowed = 50;

/**
 * Has the expressions of the account followed as they read now. A definition that is new is built, and until then the
 * earlier one answers.
 */
export async function followDefinitions(ctx: AccountContext, turn: Turn, sources: Sources): Promise<void> {
  const { rows } = await sql<{ definitions: string }>`
    select md5(concat_ws(' ', ${turn.account.timezone}::text, ${sql.join(
      sources.map((source) => sql`(${source.fingerprint(turn.account.id)})`),
    )})) as definitions
  `.execute(ctx.db);
  const definitions = rows[0]?.definitions ?? '';
  if (definitions === turn.definitions) return;
  const wanted: Wanted[] = [];
  for (const source of sources) {
    for (const { sourceId, criteria } of (await source.find(ctx)).slice(0, mostFollowed)) {
      wanted.push({ source: source.name, sourceId, criteria, definition: digestOf(ctx, criteria) });
    }
  }
  await save(ctx, turn, { definitions, wanted });
  turn.definitions = definitions;
}

/** The watch that answers for the criteria as they are now; null: none is built. */
export async function findBuilt(
  ctx: AccountContext,
  { source, sourceId, criteria }: { source: Source['name']; sourceId: number; criteria: Criteria },
): Promise<number | null> {
  const row = await ctx.db
    .selectFrom('audience_watches')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .where('definition', '=', digestOf(ctx, criteria))
    .where('is_built', '=', true)
    .executeTakeFirst();
  return row?.id ?? null;
}

type Wanted = { source: string; sourceId: number; criteria: Criteria; definition: string };

/** Days begin by the account's zone. When something was changed or typed is no part of what is asked. */
function digestOf({ account }: AccountContext, criteria: Criteria): string {
  const text = JSON.stringify(criteria, (key, value: unknown) =>
    key === 'changed_at' || key === 'since' ? undefined : value,
  );
  return createHash('sha256').update(`${account.timezone} ${text}`).digest('base64url');
}

type Saved = { definitions: string; wanted: readonly Wanted[] };

async function save(ctx: AccountContext, turn: Turn, { definitions, wanted }: Saved): Promise<void> {
  const accountId = turn.account.id;
  const table = sql`jsonb_to_recordset(${JSON.stringify(
    wanted.map(({ sourceId, ...rest }) => ({ ...rest, source_id: sourceId })),
  )}::jsonb) as x (source text, source_id bigint, criteria jsonb, definition text)`;
  await inTurn(ctx, turn, async (tx) => {
    if (wanted.length === 0) {
      // Its changes are not queued any more.
      await sql`delete from audience_work where account_id = ${accountId}`.execute(tx.db);
      await sql`delete from profile_changes where account_id = ${accountId}`.execute(tx.db);
      return;
    }
    // A built one answers for as long as its successor is not.
    await sql`
      delete from audience_watches w
       where w.account_id = ${accountId}
         and not exists (select from ${table}
                          where x.source = w.source and x.source_id = w.source_id
                            and (w.is_built or x.definition = w.definition))
    `.execute(tx.db);
    await sql`
      insert into audience_watches (account_id, source, source_id, definition, criteria)
      select ${accountId}, x.source, x.source_id, x.definition, x.criteria from ${table}
      on conflict do nothing
    `.execute(tx.db);
    await sql`
      update audience_work set definitions = ${definitions} where account_id = ${accountId}
    `.execute(tx.db);
  });
}
