import type { Pool } from 'pg';

/** A round that this process runs until its lease ends. */
export type Round = { name: string; token: number; failures: number };

/** Milliseconds since the epoch, by the database's clock: workers need not agree on one. */
export async function databaseNow(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]?.now.getTime() ?? Number.NaN;
}

/** A job that is new waits for its first round; the others stay as they are. */
export async function addJobs(pool: Pool, jobs: readonly { name: string; nextRunAt: Date }[]): Promise<void> {
  await pool.query(
    `insert into scheduled_jobs (name, next_run_at)
     select * from unnest($1::text[], $2::timestamptz[])
     on conflict (name) do nothing`,
    [jobs.map(({ name }) => name), jobs.map(({ nextRunAt }) => nextRunAt)],
  );
}

/** Takes every round that is due and that no living process runs. */
export async function claimRounds(pool: Pool, names: readonly string[], leaseMs: number): Promise<Round[]> {
  const { rows } = await pool.query<Round>(
    `with due as (
       select name from scheduled_jobs
        where name = any($1::text[]) and next_run_at <= clock_timestamp()
          and (leased_until is null or leased_until <= clock_timestamp())
          for update skip locked
     )
     update scheduled_jobs j
        set leased_until = clock_timestamp() + $2 * interval '1 millisecond', token = j.token + 1
       from due where j.name = due.name
     returning j.name, j.token, j.failures`,
    [names, leaseMs],
  );
  return rows;
}

export async function renewRounds(pool: Pool, rounds: readonly Round[], leaseMs: number): Promise<void> {
  await pool.query(
    `update scheduled_jobs j set leased_until = clock_timestamp() + $3 * interval '1 millisecond'
       from unnest($1::text[], $2::bigint[]) as held (name, token)
      where j.name = held.name and j.token = held.token and j.leased_until is not null`,
    [rounds.map(({ name }) => name), rounds.map(({ token }) => token), leaseMs],
  );
}

/** Another process may have taken the round over since: then nothing is written. */
export async function endRound(
  pool: Pool,
  { name, token }: Round,
  end: { hasSucceeded: boolean; nextRunAt: Date },
): Promise<void> {
  await pool.query(
    `update scheduled_jobs
        set leased_until = null, next_run_at = $4,
            failures = case when $3 then 0 else failures + 1 end,
            last_success_at = case when $3 then clock_timestamp() else last_success_at end
      where name = $1 and token = $2`,
    [name, token, end.hasSucceeded, end.nextRunAt],
  );
}
