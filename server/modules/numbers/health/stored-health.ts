import type { Selectable } from 'kysely';
import { z } from 'zod';
import { concerns } from './assess.ts';
import { newHealth } from './health.ts';
import type { ContactKind, PhoneHealth } from './health.ts';
import type { PhoneHealthTable } from './tables.ts';

export type HealthRow = Selectable<PhoneHealthTable>;

const When = z.coerce.date();
const Scope = z.enum(['first', 'all']);

/** The content of `facts`; values missing in an older row are those of a new phone. */
const Facts = z.object({
  linkedAt: When.nullable().default(newHealth.linkedAt),
  rampDay: z.int().default(newHealth.rampDay),
  rampOn: z.string().nullable().default(newHealth.rampOn),
  idleFrom: When.nullable().default(newHealth.idleFrom),
  limit: z
    .object({
      until: When,
      scope: Scope,
      code: z.enum(['time_lock', 'refused_twice', 'known_refused', 'nothing_delivered']),
    })
    .nullable()
    .default(newHealth.limit),
  lock: z.object({ until: When, reason: z.string() }).nullable().default(newHealth.lock),
  recovery: z
    .union([
      z.object({ step: z.literal('canary'), scope: Scope, sentAt: When.nullable() }),
      z.object({ step: z.literal('share'), scope: Scope, since: z.string() }),
    ])
    .nullable()
    .default(newHealth.recovery),
  cap: z
    .object({
      status: z.string().nullable(),
      used: z.number(),
      total: z.number(),
      endsAt: When.nullable(),
      askedAt: When,
    })
    .nullable()
    .default(newHealth.cap),
  refusedAt: When.nullable().default(newHealth.refusedAt),
  judgedFrom: When.nullable().default(newHealth.judgedFrom),
  lockedAt: When.nullable().default(newHealth.lockedAt),
  ceiling: z.object({ firsts: z.number(), at: When }).nullable().default(newHealth.ceiling),
  overshotUntil: When.nullable().default(newHealth.overshotUntil),
});

export function readHealth(
  row: Pick<HealthRow, 'is_protected' | 'has_quiet_hours' | 'is_older_account' | 'facts'>,
): PhoneHealth {
  return {
    isProtected: row.is_protected,
    hasQuietHours: row.has_quiet_hours,
    isOlderAccount: row.is_older_account,
    ...Facts.parse(row.facts),
  };
}

/** The columns of a health, those that other statements read among them. */
export function healthColumns(health: PhoneHealth) {
  const { isProtected, hasQuietHours, isOlderAccount, ...facts } = health;
  return {
    is_protected: isProtected,
    has_quiet_hours: hasQuietHours,
    is_older_account: isOlderAccount,
    facts: JSON.stringify(facts),
    first_stopped_until: stoppedUntil(health, 'first'),
    all_stopped_until: stoppedUntil(health, 'known'),
    refused_at: health.refusedAt,
    canary_sent_at: health.recovery?.step === 'canary' ? health.recovery.sentAt : null,
  };
}

function stoppedUntil({ lock, limit }: PhoneHealth, contact: ContactKind): Date | null {
  const ends = [lock?.until, limit && concerns(limit.scope, contact) ? limit.until : null].flatMap((end) => end ?? []);
  return ends.length === 0 ? null : new Date(Math.max(...ends.map((end) => end.getTime())));
}
