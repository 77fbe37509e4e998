import { sql } from 'kysely';
import type { ConnectorName } from '#contracts/connectors.ts';
import type { Context } from '#server/context.ts';
import { countersOf } from '#server/process-counters.ts';
import { processPart } from '#server/process-part.ts';
import type { Change } from './settlement.ts';
import { traceOutcome } from './trace-outcomes.ts';

const mostKept = 20_000;

/** A phone's connector never changes. */
const connectorsOf = processPart(() => new Map<number, ConnectorName>());

const steps = ['sent', 'delivered', 'read', 'failed'] as const;

/** Counts and traces the statuses that messages reached, after they have committed. */
export async function countOutcomes(ctx: Context, changes: readonly Change[]): Promise<void> {
  const reached = changes.flatMap(({ before, after }) =>
    steps.filter((step) => hasReached(after, step) && !hasReached(before, step)).map((step) => ({ step, after })),
  );
  if (reached.length === 0) return;
  const connectors = await findConnectors(ctx, [...new Set(reached.flatMap(({ after }) => after.phone_id ?? []))]);
  for (const { step, after } of reached) {
    const connector = connectors.get(after.phone_id ?? 0) ?? 'unknown';
    const code = step === 'failed' ? (after.error_code ?? 'unknown') : '';
    countersOf(ctx).add('dovepost_messages_total', { status: step, connector, code });
    traceOutcome(ctx, { step, after }, { connector, code });
  }
}

function hasReached(row: Change['after'], step: (typeof steps)[number]): boolean {
  return step === 'failed' ? row.status === 'failed' : row[`${step}_at`] !== null;
}

async function findConnectors(ctx: Context, phoneIds: readonly number[]): Promise<Map<number, ConnectorName>> {
  const known = connectorsOf(ctx);
  const missing = phoneIds.filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  if (known.size > mostKept) known.clear();
  // account-wide: a kind of phone is a label of the operator's figures.
  const { rows } = await sql<{ id: number; connector: ConnectorName }>`
    select id, connector from phones where id = any(${phoneIds}::bigint[])
  `.execute(ctx.db);
  for (const { id, connector } of rows) known.set(id, connector);
  return known;
}
