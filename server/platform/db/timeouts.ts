import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';

/**
 * Time limits of the database in milliseconds, so that a process that hangs, a host that is lost or a broken network
 * never holds up the others. Work that legitimately takes longer says so with `setStatementTimeout`.
 */
export type DatabaseTimeouts = {
  /** For each statement, waiting for locks included. */
  statementMs: number;
  /** Waiting for one lock. */
  lockMs: number;
  /**
   * A transaction in which nothing is asked. Well below the leases of phones: rows that a stopped process has locked
   * must be free before its neighbours' leases lapse.
   */
  idleInTransactionMs: number;
  /** Beyond the statement's own time: then the connection counts as broken. */
  answerGraceMs: number;
};

export const defaultTimeouts: DatabaseTimeouts = {
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 5_000,
  answerGraceMs: 5_000,
};

/** Lets the server notice a host that is gone; systems without TCP_USER_TIMEOUT do not know the last setting. */
const keepAliveSettings = ['tcp_keepalives_idle=10', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=3'].concat(
  process.platform === 'linux' ? ['tcp_user_timeout=20000'] : [],
);

/** The timeouts, and further settings as `name=value`, as parameters of a connection's start. */
export function startParameters(timeouts: DatabaseTimeouts, settings: readonly string[] = []) {
  return {
    statement_timeout: timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    options: [...keepAliveSettings, ...settings].map((setting) => `-c ${setting}`).join(' '),
  };
}

/** The same in each transaction's first round trip, for connections that others use in between. */
export function beginWithTimeouts(timeouts: DatabaseTimeouts, settings: readonly string[] = []): string {
  return [
    'begin',
    `set local statement_timeout = ${timeouts.statementMs}`,
    `set local lock_timeout = ${timeouts.lockMs}`,
    `set local idle_in_transaction_session_timeout = ${timeouts.idleInTransactionMs}`,
    ...settings.map(localSetting),
  ].join('; ');
}

/** A word is quoted, as a size such as 32MB is a wrong number without; a list is not, as it is one name in quotes. */
function localSetting(setting: string): string {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(setting) ?? [];
  return `set local ${name} = ${/^\w+$/.test(value) ? `'${value}'` : value}`;
}

/** For a statement that touches all that belongs to something: its size has no bound of its own. */
export const longStatementMs = 10 * 60_000;

const marker = '/* statement timeout */';

/**
 * Sets the limit in milliseconds of each further statement of the open transaction; 0 is no limit. Throws outside a
 * transaction, where it would hold for nothing.
 */
export async function setStatementTimeout(
  db: QueryExecutorProvider & { readonly isTransaction: boolean },
  timeoutMs: number,
): Promise<void> {
  if (!db.isTransaction) throw new Error('A statement timeout is set in a transaction');
  await sql`${sql.raw(marker)} select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(db);
}

/** The milliseconds that a statement made by `setStatementTimeout` sets; undefined for every other statement. */
export function readStatementTimeout(text: string, values: readonly unknown[]): number | undefined {
  return text.startsWith(marker) ? Number(values[0]) : undefined;
}
