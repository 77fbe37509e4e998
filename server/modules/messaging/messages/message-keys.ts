import { createHash } from 'node:crypto';
import type { Metadata } from '#contracts/new-message.ts';
import type { Context, ProjectScope } from '#server/context.ts';
import { bodyOf } from './content/columns.ts';
import type { Carried } from './content/columns.ts';

/** The request of a caller under its Idempotency-Key. */
type Asked = Pick<Carried, 'content' | 'asked'> & {
  to: string;
  override_opt_out?: boolean | undefined;
  metadata?: Metadata | undefined;
  sendAt?: Date | undefined;
};

export type Earlier = ReadonlyMap<string, { messageId: number; fingerprint: Buffer }>;

/** Which of the keys a project has used before, and for what. */
export async function findEarlier(
  { db }: Pick<Context, 'db'>,
  { account, projectId }: ProjectScope,
  submissions: readonly { key: string | undefined }[],
): Promise<Earlier> {
  const keys = submissions.flatMap(({ key }) => (key === undefined ? [] : [key]));
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('idempotency_keys')
    .select(['key', 'fingerprint', 'message_id'])
    .where('account_id', '=', account.id)
    .where('project_id', '=', projectId)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, { messageId: row.message_id, fingerprint: row.fingerprint }]));
}

/** The pairs in one order: they mean the same in any. */
export const metadataText = ({ metadata }: Pick<Asked, 'metadata'>): string | null =>
  metadata
    ? JSON.stringify(Object.fromEntries(Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    : null;

export function fingerprintOf(asked: Asked): Buffer {
  const { to, sendAt } = asked;
  const metadata = metadataText(asked);
  const hash = createHash('sha256').update(`${to}\n${bodyOf(asked.content)}`);
  // Optional fields are hashed only where present, so that earlier keys stay valid.
  if (metadata !== null || sendAt) hash.update(`\n\u0000${JSON.stringify([metadata, sendAt?.toISOString()])}`);
  if (asked.asked !== undefined) hash.update(`\n\u0000${asked.asked}`);
  if (asked.override_opt_out) hash.update('\n\u0000override_opt_out');
  return hash.digest();
}
