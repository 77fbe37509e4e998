import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Database } from '#server/database.ts';

type Statement = { text: string; parameters: readonly unknown[] };
type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] };

/** A database whose statements on some tables are remembered, to look at their plans. */
export type WatchedDatabase = {
  db: Kysely<Database>;
  /**
   * The indexes that the statements since the last call use, and `seq scan` where one of the tables is read without one; with
   * `mayScan` false the same where the planner takes an index even to find nearly all.
   */
  indexesUsed(mayScan?: boolean): Promise<string[]>;
};

export function watchDatabase(pool: pg.Pool, tables: readonly string[] = ['profiles']): WatchedDatabase {
  const named = new RegExp(String.raw`\b(${tables.join('|')})\b`);
  let statements: Statement[] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log({ query }) {
      if (named.test(query.sql)) statements.push({ text: query.sql, parameters: query.parameters });
    },
  });
  return {
    db,
    async indexesUsed(mayScan = true) {
      const used = new Set<string>();
      const client = await pool.connect();
      try {
        await client.query(`set enable_seqscan = ${mayScan ? 'on' : 'off'}`);
        for (const { text, parameters } of statements) {
          const explain = `explain (format json) ${text}`;
          const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain, [...parameters]);
          for (const { Plan: plan } of rows[0]?.['QUERY PLAN'] ?? []) addIndexes(plan, tables, used);
        }
      } finally {
        await client.query('reset enable_seqscan');
        client.release();
      }
      statements = [];
      return [...used].toSorted();
    },
  };
}

function addIndexes(plan: Plan, tables: readonly string[], used: Set<string>): void {
  if (plan['Index Name'] !== undefined) used.add(plan['Index Name']);
  if (plan['Node Type'] === 'Seq Scan' && tables.includes(plan['Relation Name'] ?? '')) used.add('seq scan');
  for (const inner of plan.Plans ?? []) addIndexes(inner, tables, used);
}
