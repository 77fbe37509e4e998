import type { Kysely, Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { ActName } from '#contracts/audit-acts.ts';
import type { DirectFirstContacts } from '#contracts/projects.ts';
import type { ConnectorName } from '#contracts/connectors.ts';
import type { Actor, UserActor } from '#server/actor.ts';
import type { Reads } from '#server/reads.ts';
import type { Config } from '#server/config.ts';
import type { IdentityProvider } from '#server/connectors/identity/port.ts';
import type { Mailer } from '#server/connectors/mail/port.ts';
import type { Connector } from '#server/connectors/messaging/port.ts';
import type { FileStore } from '#server/connectors/storage/port.ts';
import type { ResolveHost } from '#server/platform/http/resolve-host.ts';
import type { PaymentProvider } from '#server/connectors/payments/port.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Listener } from '#server/platform/db/listen.ts';
import type { Database } from '#server/database.ts';
import type { Logger } from '#server/platform/logger.ts';
import type { SecretBox } from '#server/platform/secrets.ts';
import type { Traces } from '#server/platform/tracing/traces.ts';

/** The dependencies of every verb. Built once by `compose.ts`; tests override parts of it. */
export type Context = {
  config: Config;
  /** For the parts that a module keeps as long as the process lives: `processPart`. */
  process: Process;
  /** The pool, or the transaction that a verb runs in. */
  db: Kysely<Database>;
  pool: Pool;
  /** For `withAdmission`; `admitted` where `db` is theirs already. */
  reads: Reads | 'admitted';
  clock: Clock;
  logger: Logger;
  /** Where spans go; nowhere unless OpenTelemetry is set up. */
  traces: Traces;
  secrets: SecretBox;
  listener: Listener;
  connectors: Readonly<Record<ConnectorName, Connector>>;
  payments: PaymentProvider;
  mailer: Mailer;
  /** Undefined where sign-in by OpenID Connect is not set up. */
  identityProvider: IdentityProvider | undefined;
  /** The bytes of files that messages carry. */
  files: FileStore;
  /** Where connections to addresses that customers name may lead. */
  egress: { isPrivateAllowed: boolean; resolveHost: ResolveHost };
  /** The acting party: set for each request by `authorize.ts`; background work is the system's. */
  actor: Actor;
  /** The act of the request, for the audit log; see `audit.ts`. */
  act?: Act | undefined;
  /** Asked before claimed messages go: those of them that are not to be sent after all. Only reads. */
  recheckClaimed(ctx: Context, claimed: readonly ClaimedOfLedger[]): Promise<WithdrawnMessage[]>;
  /** Runs inside the transaction that made the events, so that a reaction commits with its cause. */
  onDomainEvents(tx: Tx, events: readonly DomainEvent[]): Promise<void>;
};

/** A composition of the product: `ctx` is its context outside of any request and transaction. */
export type Process = { readonly ctx: Context };

/** An act that is under way. `targetId` is of the thing that the path names; undefined where it is made now. */
export type Act = {
  name: ActName;
  targetId: number | string | undefined;
  origin: { address: string; program: string | null; requestId: string };
};

/** A message that a ledger handed over and that a phone is about to send. */
export type ClaimedOfLedger = { accountId: number; id: number; campaignId: number; profileId: number };
export type WithdrawnMessage = { accountId: number; id: number; reason: string };

/** The account whose rows a verb works on. */
export type Account = { id: number; timezone: string };

export type AccountContext = Context & {
  account: Account;
  /** The project of the key that acts; which projects it may see is `scopeOf`'s to say. */
  project?: { id: number } | undefined;
};

/** For what only somebody who signed in may do. */
export type UserContext = AccountContext & { actor: UserActor };

/** `directFirstContacts` is undefined where no key names the project: then it sends. */
export type ProjectContext = AccountContext & {
  project: { id: number; directFirstContacts?: DirectFirstContacts | undefined };
};

export type AccountOrProjectContext = AccountContext & { project: { id: number } | undefined };

/** A project and the account that it belongs to. */
export type ProjectScope = { account: Account; projectId: number };

/**
 * A context whose `db` is an open transaction. Verbs that lock, save or notify demand it: what they do must commit
 * together with its cause. Only `inTransaction` makes one.
 */
export type Tx<C extends Context = Context> = C & { db: Transaction<Database> };

/** Runs `work` in one transaction, or in the one that is open already. */
export function inTransaction<C extends Context, T>(ctx: C, work: (tx: Tx<C>) => Promise<T>): Promise<T> {
  if (isTx(ctx)) return work(ctx);
  return ctx.db.transaction().execute((db: Transaction<Database>) => work({ ...ctx, db }));
}

function isTx<C extends Context>(ctx: C): ctx is Tx<C> {
  return ctx.db.isTransaction;
}
