import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';

/** Where the rows are; what it is asked has its bounds, whatever stands in front of the database. */
export type JobDatabase = QueryExecutorProvider;

/** A round that this process runs until its lease ends. */
export type Round = { name: string; token: number; failures: number };

/** A job that is new waits for its first round; the others stay as they are. */
export async function addJobs(db: JobDatabase, jobs: readonly { name: string; nextRunAt: Date }[]): Promise<void> {
  await sql`
    insert into scheduled_jobs (name, next_run_at)
    select * from unnest(${jobs.map(({ name }) => name)}::text[],
                         ${jobs.map(({ nextRunAt }) => nextRunAt)}::timestamptz[])
    on conflict (name) do nothing
  `.execute(db);
}

const leaseEnd = (leaseMs: number) => sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

/** Takes every round that is due and that no living process runs. */
export async function claimRounds(db: JobDatabase, names: readonly string[], leaseMs: number): Promise<Round[]> {
  const { rows } = await sql<Round>`
    with due as (
      select name from scheduled_jobs
       where name = any(${names}::text[]) and next_run_at <= clock_timestamp()
         and (leased_until is null or leased_until <= clock_timestamp())
         for update skip locked
    )
    update scheduled_jobs j set leased_until = ${leaseEnd(leaseMs)}, token = j.token + 1
      from due where j.name = due.name
    returning j.name, j.token, j.failures
  `.execute(db);
  return rows;
}

export async function renewRounds(db: JobDatabase, rounds: readonly Round[], leaseMs: number): Promise<void> {
  await sql`
    update scheduled_jobs j set leased_until = ${leaseEnd(leaseMs)}
      from unnest(${rounds.map(({ name }) => name)}::text[], ${rounds.map(({ token }) => token)}::bigint[])
           as held (name, token)
     where j.name = held.name and j.token = held.token and j.leased_until is not null
  `.execute(db);
}

/** Another process may have taken the round over since: then nothing is written. */
export async function endRound(
  db: JobDatabase,
  { name, token }: Round,
  { hasSucceeded, nextRunAt }: { hasSucceeded: boolean; nextRunAt: Date },
): Promise<void> {
  await sql`
    update scheduled_jobs
       set leased_until = null, next_run_at = ${nextRunAt},
           failures = case when ${hasSucceeded}::boolean then 0 else failures + 1 end,
           last_success_at = ${hasSucceeded ? sql`clock_timestamp()` : sql`last_success_at`}
     where name = ${name} and token = ${token}
  `.execute(db);
}

/** Which of these jobs have succeeded since they last failed, in whichever process. */
export async function findRecovered(db: JobDatabase, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from scheduled_jobs where name = any(${names}::text[]) and failures = 0
  `.execute(db);
  return rows.map(({ name }) => name);
}
