import type { AccountContext } from '#server/context.ts';
import { requireKnownPaths } from '#server/modules/audience/conditions/index.ts';
import type { Audience } from './running/audience.ts';

/** Throws 422 for a field that no profile has; what the flow has already may stay, though profiles have lost it. */
export async function requireKnownFlowPaths(
  ctx: AccountContext,
  audience: { [Part in keyof Audience]?: Audience[Part] | undefined },
  before?: Audience,
): Promise<void> {
  const kept = new Set([
    ...(before?.conditions.map(({ fieldPath }) => fieldPath) ?? []),
    before?.duration.dateFieldPath,
  ]);
  const named = [
    ...(audience.conditions ?? []).map(({ fieldPath }, index) => ({ fieldPath, at: `conditions.${index}.fieldPath` })),
    ...(audience.duration ? [{ fieldPath: audience.duration.dateFieldPath, at: 'duration.dateFieldPath' }] : []),
  ];
  await requireKnownPaths(
    ctx,
    named.filter(({ fieldPath }) => !kept.has(fieldPath)),
  );
}
