import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';

/** The columns that the counts of a template depend on; all but one of official numbers have none. */
type TemplateMessage = {
  account_id: number;
  project_id: number;
  phone_id: number | null;
  created_at: Date;
  delivered_at: Date | null;
  read_at: Date | null;
  media_source: { details?: { template?: Template | undefined } } | null;
};

type Template = { business_account_id: string; name: string; language: string };

type TemplateChange = { before: TemplateMessage; after: TemplateMessage };

type Delta = Template & {
  accountId: number;
  projectId: number;
  phoneId: number;
  day: string;
  delivered: number;
  read: number;
};

/** By how much the changes add to the counts, each row once; in one order for all, so that no two wait for each other. */
export function templateDeltas(changes: readonly TemplateChange[]): Delta[] {
  const deltas = new Map<string, Delta>();
  for (const { before, after } of changes) {
    const template = after.media_source?.details?.template;
    const delivered = Number(after.delivered_at !== null) - Number(before.delivered_at !== null);
    const read = Number(after.read_at !== null) - Number(before.read_at !== null);
    if (template === undefined || (delivered === 0 && read === 0)) continue;
    const { business_account_id, name, language } = template;
    const row = {
      accountId: after.account_id,
      business_account_id,
      name,
      language,
      day: after.created_at.toISOString().slice(0, 10),
      projectId: after.project_id,
      phoneId: after.phone_id ?? 0,
    };
    const key = JSON.stringify(Object.values(row));
    const known = deltas.get(key);
    deltas.set(key, { ...row, delivered: delivered + (known?.delivered ?? 0), read: read + (known?.read ?? 0) });
  }
  return [...deltas].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, delta]) => delta);
}

/** Counts what became of templates, in the transaction that changes their messages. */
export async function countTemplates(tx: Tx, changes: readonly TemplateChange[]): Promise<void> {
  const deltas = templateDeltas(changes);
  if (deltas.length === 0) return;
  await sql`
    /* prepared: count-templates, unread */
    insert into template_counts as c (account_id, project_id, phone_id, business_account_id, name, language, day,
                                      delivered, read)
    select * from unnest(${deltas.map(({ accountId }) => accountId)}::bigint[],
                         ${deltas.map(({ projectId }) => projectId)}::bigint[],
                         ${deltas.map(({ phoneId }) => phoneId)}::bigint[],
                         ${deltas.map((delta) => delta.business_account_id)}::text[],
                         ${deltas.map(({ name }) => name)}::text[], ${deltas.map(({ language }) => language)}::text[],
                         ${deltas.map(({ day }) => day)}::date[], ${deltas.map(({ delivered }) => delivered)}::int[],
                         ${deltas.map(({ read }) => read)}::int[])
    on conflict (account_id, business_account_id, name, language, day, project_id, phone_id) do update
      set delivered = c.delivered + excluded.delivered, read = c.read + excluded.read
  `.execute(tx.db);
}
