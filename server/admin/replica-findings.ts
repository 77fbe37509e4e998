import pg from 'pg';
import type { Config } from '#server/config.ts';
import type { Finding } from './finding.ts';

const check = 'read replica';
const answerMs = 5_000;
/** Reads wait for a standby that is a few milliseconds behind, and leave one that is further to itself. */
const tooLateBytes = 1024 * 1024;

type Facts = { system: string; is_standby: boolean; position: string };

/** The server's own words: where it has got to, as the primary writes and the standby has replayed. */
const factsSql = `
  select (select system_identifier::text from pg_control_system()) as system, pg_is_in_recovery() as is_standby,
         case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end::text as position`;

/** Whether DATABASE_READ_URL leads to a standby of DATABASE_URL that follows. */
export async function replicaFindings({ databaseUrl, directDatabaseUrl, readDatabaseUrl }: Config): Promise<Finding[]> {
  const primaryUrl = directDatabaseUrl ?? databaseUrl;
  if (readDatabaseUrl === undefined || primaryUrl === undefined) {
    return [{ check, state: 'ok', found: 'DATABASE_READ_URL is not set; the primary takes all reads' }];
  }
  const standby = await readFacts(readDatabaseUrl).catch((error: unknown) => String(error));
  if (typeof standby === 'string') {
    return [warning(standby, 'Start the standby; meanwhile the primary takes its reads')];
  }
  const primary = await readFacts(primaryUrl);
  if (!standby.is_standby) return [warning('it is no standby', 'Let DATABASE_READ_URL lead to a standby')];
  if (standby.system !== primary.system) {
    return [warning('it follows another server', 'Let DATABASE_READ_URL lead to a standby of DATABASE_URL')];
  }
  const behind = bytesOf(primary.position) - bytesOf(standby.position);
  if (behind > tooLateBytes || (behind > 0 && !(await follows(readDatabaseUrl, primary.position)))) {
    return [warning(`${behind} bytes behind`, 'Look at the standby; meanwhile the primary takes its reads')];
  }
  return [{ check, state: 'ok', found: 'a standby that follows the primary' }];
}

const warning = (found: string, remedy: string): Finding => ({ check, state: 'warning', found, remedy });

async function ask<Row extends pg.QueryResultRow>(connectionString: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: answerMs, query_timeout: answerMs });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text, values);
    if (!rows[0]) throw new Error('it answered nothing');
    return rows[0];
  } finally {
    await client.end();
  }
}

const readFacts = (connectionString: string) => ask<Facts>(connectionString, factsSql);

/** Whether it gets there within a second. */
async function follows(connectionString: string, position: string): Promise<boolean> {
  for (const deadline = performance.now() + 1_000; performance.now() < deadline;) {
    const { is_there } = await ask<{ is_there: boolean }>(
      connectionString,
      'select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there',
      [position],
    );
    if (is_there) return true;
  }
  return false;
}

/** A position in PostgreSQL's log as a number: two halves of 32 bits. */
function bytesOf(position: string): number {
  const [high = '0', low = '0'] = position.split('/');
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
}
