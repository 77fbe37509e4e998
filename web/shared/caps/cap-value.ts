import type { CapPriority, WhenCapped } from '#contracts/caps.ts';

export type CapValue = { when_capped: WhenCapped; priority: CapPriority };

export const usualCaps: CapValue = { when_capped: 'skip', priority: 'normal' };

export const capsOf = (source: CapValue | undefined): CapValue => ({
  when_capped: source?.when_capped ?? usualCaps.when_capped,
  priority: source?.priority ?? usualCaps.priority,
});

/** The choices that differ from those before. */
export const changedCaps = (value: CapValue, before: CapValue): Partial<CapValue> => ({
  ...(value.when_capped !== before.when_capped && { when_capped: value.when_capped }),
  ...(value.priority !== before.priority && { priority: value.priority }),
});
