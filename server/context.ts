import type { Kysely, Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { ConnectorName } from '#contracts/phone-numbers.ts';
import type { Config } from '#server/config.ts';
import type { Mailer } from '#server/connectors/mail/port.ts';
import type { Connector } from '#server/connectors/messaging/port.ts';
import type { PaymentProvider } from '#server/connectors/payments/port.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Listener } from '#server/platform/db/listen.ts';
import type { Database } from '#server/platform/db/schema.ts';
import type { Logger } from '#server/platform/logger.ts';
import type { SecretBox } from '#server/platform/secrets.ts';

/** What every verb works with. Built once by `compose.ts`; tests override parts of it. */
export type Context = {
  config: Config;
  /** The pool, or the transaction that a verb runs in. */
  db: Kysely<Database>;
  pool: Pool;
  clock: Clock;
  logger: Logger;
  secrets: SecretBox;
  listener: Listener;
  connectors: Readonly<Record<ConnectorName, Connector>>;
  payments: PaymentProvider;
  mailer: Mailer;
  /** Runs inside the transaction that made the events, so that a reaction commits with its cause. */
  onDomainEvents(tx: Context, events: readonly DomainEvent[]): Promise<void>;
};

/** The account on whose behalf a verb runs. */
export type Actor = { id: number; timezone: string };

export type AccountContext = Context & {
  account: Actor;
  /** The session behind the request; undefined when an api_key was used. */
  sessionTokenHash: Buffer | undefined;
};

export type ProjectContext = Context & { account: Actor; project: { id: number } };

/** A project's auth key narrows what the account may see to that project. */
export type AccountOrProjectContext = Context & { account: Actor; project: { id: number } | undefined };

/** Runs `work` in one transaction, or in the one that is open already. */
export function inTransaction<C extends Context, T>(ctx: C, work: (tx: C) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx);
  return ctx.db.transaction().execute((db: Transaction<Database>) => work({ ...ctx, db }));
}
