import { targetTypes } from '#contracts/audit-acts.ts';
import type { TargetType } from '#contracts/audit-acts.ts';

/** The filters of the page in the URL. */
export type AuditSearch = {
  /** A type, or a thing: `campaign:12`. */
  target?: string;
  /** A user's id, `api_key`, `key` or `system`. */
  actor?: string;
  /** Only what was done in so many days. */
  days?: number;
};

export const auditDays = [1, 7, 30, 90];

/** A route's `validateSearch`: what it does not know is left out. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const target = textOf(search['target']);
  const actor = textOf(search['actor']);
  const days = auditDays.find((each) => String(each) === textOf(search['days']));
  return {
    ...(isTarget(target) && { target }),
    ...(/^(\d{1,16}|key|api_key|system)$/.test(actor) && { actor }),
    ...(days !== undefined && { days }),
  };
}

const dayMs = 86_400_000;

/** The filters as the API takes them. */
export function auditFilter({ days, ...filter }: AuditSearch, now = Date.now()) {
  return { ...filter, ...(days !== undefined && { created_after: new Date(now - days * dayMs).toISOString() }) };
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

export const typeOf = (target: string): TargetType | undefined =>
  targetTypes.find((type) => type === target.split(':')[0]);

const isTarget = (target: string) => typeOf(target) !== undefined && /^[a-z_]+(:\d{1,16})?$/.test(target);

/** `campaign.retry_failed` → `Campaign retry failed` */
export function wordsOf(name: string): string {
  const text = name.replaceAll(/[._]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value of a change as a line of text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
