import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Criteria } from '#contracts/expressions.ts';
import type { AccountContext, Tx } from '#server/context.ts';

/** An expression whose people are followed. */
export type Followed = { sourceId: number; criteria: Criteria };

/** `at`: when it was found. */
export type Move = { sourceId: number; profileId: number; state: 'joined' | 'left' };

/** Somebody who is in it, and either joined or changed. */
export type Found = { sourceId: number; profileId: number };

/** A kind of thing that has an audience to be followed. */
export type Source = {
  name: 'segment' | 'flow';
  /** SQL that answers one text: another one where any of the expressions may be another. */
  fingerprint(accountId: number): RawBuilder<string>;
  find(ctx: AccountContext): Promise<Followed[]>;
  /** Keeps the moves, in the transaction that stores the states; the profiles are held. */
  noteMoves?(tx: Tx<AccountContext>, moves: readonly Move[], at: Date): Promise<void>;
  /** Keeps who was found, in the same transaction; some of them may be gone by then. */
  noteFound?(tx: Tx<AccountContext>, found: readonly Found[], at: Date): Promise<void>;
};

export type Sources = readonly Source[];

/** SQL that answers another text after any change of an account's rows in a small table. */
export const fingerprintOf = (table: 'segments' | 'field_types' | 'topics' | 'flows', accountId: number) => sql<string>`
  (select md5(string_agg(r::text, ',' order by r::text)) from ${sql.table(table)} as r where r.account_id = ${accountId})`;
