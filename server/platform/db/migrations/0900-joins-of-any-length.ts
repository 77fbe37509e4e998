import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { typedUpdate } from './0860-two-step-triggers.ts';
import { catalogueUpdate } from './0890-catalogue-of-changes.ts';

/**
 * A trigger's plan is kept by its connection, and is made for as many rows as the first change had, mostly one: rows
 * before and after a change of thousands were compared each with each. A full join is never such a loop, and no row is
 * on one side alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [catalogueUpdate('full join'), typedUpdate('full join')])
    await sql.raw(statement).execute(db);
}
