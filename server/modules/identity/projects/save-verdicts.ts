import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';

/** The result of attempts at a webhook URL; a URL has at most one. */
export type Verdict = {
  accountId: number;
  /** Of the row that has the URL. */
  id: number;
  /** Says nothing about another URL that is there by now. */
  url: string;
  verdict: 'works' | 'gone' | 'fails';
};

/** A URL that was switched off just now: nothing is sent to it until it is saved again. */
export type SwitchedOff = { account_id: number; project_id: number; url: string; reason: string };

/** Where the URL is kept, by its module's own names. */
type VerdictColumns = {
  table: string;
  url: string;
  failingSince: string;
  disabledAt: string;
  disabledReason: string;
};

/** How long every attempt has to fail, and what is said of a URL that was switched off. */
const switchedOffReasons = {
  failsForMs: 5 * 24 * 60 * 60 * 1000,
  gone: 'It answered 410 Gone, which says that it takes no webhooks any more.',
  failing: 'Every attempt has failed for five days.',
} as const;

/**
 * Two parts of the statement that keeps since when a URL fails, and switches off one that has failed for five days or
 * says that it is gone: what changes (`c`), and what becomes of the row (`e`). A row that somebody else is changing is
 * left for the next attempt.
 */
export function judge(tx: Tx, columns: VerdictColumns, verdicts: readonly Verdict[]) {
  const now = tx.clock.now();
  const column = columnsOf(verdicts);
  const failingBefore = new Date(now.getTime() - switchedOffReasons.failsForMs);
  const url = sql.ref(columns.url);
  const failingSince = sql.ref(columns.failingSince);
  const disabledAt = sql.ref(columns.disabledAt);
  const disabledReason = sql.ref(columns.disabledReason);
  const changing = sql`
    select e.account_id, e.id, v.verdict,
      v.verdict = 'gone' or (v.verdict = 'fails' and e.${failingSince} <= ${failingBefore}::timestamptz) as is_over
    from unnest(
      ${column(({ accountId }) => accountId, 'bigint')}, ${column(({ id }) => id, 'bigint')},
      ${column((each) => each.url, 'text')}, ${column(({ verdict }) => verdict, 'text')}
    ) as v (account_id, id, url, verdict)
    join ${sql.table(columns.table)} e on e.account_id = v.account_id and e.id = v.id and e.${url} = v.url
    where e.${disabledAt} is null
      and case v.verdict
        when 'works' then e.${failingSince} is not null
        when 'gone' then true
        else e.${failingSince} is null or e.${failingSince} <= ${failingBefore}::timestamptz end
    for no key update of e skip locked`;
  const changes = sql`
    ${failingSince} = case when c.verdict <> 'works' then coalesce(e.${failingSince}, ${now}::timestamptz) end,
    ${disabledAt} = case when c.is_over then ${now}::timestamptz end,
    ${disabledReason} = case
        when c.is_over and c.verdict = 'gone' then ${switchedOffReasons.gone}
        when c.is_over then ${switchedOffReasons.failing} end`;
  return { changing, changes };
}

/** Keeps what attempts have shown of the projects' own URLs, and answers those that it switched off. */
export async function saveProjectVerdicts(tx: Tx, verdicts: readonly Verdict[]): Promise<SwitchedOff[]> {
  if (verdicts.length === 0) return [];
  const { changing, changes } = judge(
    tx,
    {
      table: 'projects',
      url: 'webhook_url',
      failingSince: 'webhook_failing_since',
      disabledAt: 'webhook_disabled_at',
      disabledReason: 'webhook_disabled_reason',
    },
    verdicts,
  );
  const { rows } = await sql<SwitchedOff & { is_disabled: boolean }>`
    /* prepared: save-project-verdicts */
    with c as (${changing})
    update projects e set ${changes}
    from c
    where e.account_id = c.account_id and e.id = c.id
    returning e.account_id, e.id as project_id, e.webhook_url as url, e.webhook_disabled_reason as reason,
      e.webhook_disabled_at is not null as is_disabled
  `.execute(tx.db);
  return rows.filter((row) => row.is_disabled);
}
