import type { Suppression, SuppressionEvent } from '#contracts/suppressions.ts';
import type { LogRow, SuppressionRow } from '#server/modules/audience/suppressions/index.ts';

export function presentSuppression({ phone, opted_out_at, source, evidence, note }: SuppressionRow): Suppression {
  return { phone, opted_out_at: opted_out_at.toISOString(), by: source, evidence, note, topic: '*' };
}

export function presentLogLine(row: LogRow): SuppressionEvent {
  const { action, phone, source, evidence, note, at } = row;
  return { action, phone, by: source, evidence, note, at: at.toISOString() };
}
