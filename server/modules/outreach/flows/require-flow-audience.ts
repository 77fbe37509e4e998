import type { AccountContext, Tx } from '#server/context.ts';
import { requireKnownPaths } from '#server/modules/audience/conditions/index.ts';
import { fieldsIn, requireAudience } from '#server/modules/audience/segments/index.ts';
import type { Audience } from './tables.ts';

type Asked = { audience: Audience; before?: Audience; isAnyAllowed: boolean };

/**
 * Throws 422 for a segment that is not there, and for a field that no profile has; fields that the flow has already may
 * stay, though profiles have lost them. The segments are not deleted before the transaction ends.
 */
export async function requireFlowAudience(
  tx: Tx<AccountContext>,
  { audience, before, isAnyAllowed }: Asked,
): Promise<void> {
  const { conditions, expression, exclude_segment_ids: left, duration } = audience;
  const kept = new Set([
    ...(before?.conditions.map(({ fieldPath }) => fieldPath) ?? []),
    ...(before?.expression ? fieldsIn(before.expression) : []),
    before?.duration?.dateFieldPath,
  ]);
  await requireAudience(tx, {
    audience: { segment_id: null, expression, exclude_segment_ids: left },
    isAnyAllowed,
    kept: new Set([...kept].flatMap((path) => path ?? [])),
  });
  if (isAnyAllowed) return;
  const named = [
    ...conditions.map(({ fieldPath }, index) => ({ fieldPath, at: `conditions.${index}.fieldPath` })),
    ...(duration ? [{ fieldPath: duration.dateFieldPath, at: 'duration.dateFieldPath' }] : []),
  ];
  await requireKnownPaths(
    tx,
    named.filter(({ fieldPath }) => !kept.has(fieldPath)),
  );
}
