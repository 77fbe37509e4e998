import { targetTypes } from '#contracts/audit-acts.ts';
import type { TargetType } from '#contracts/audit-acts.ts';

/** The filters of the page in the URL. */
export type AuditSearch = {
  /** A type, or a thing: `campaign:12`. */
  target?: string;
  /** A user's id, `api_key`, `key` or `system`. */
  actor?: string;
  /** The id of a project: what was done to it, and to what is in it. */
  project?: number;
  /** Only what was done in so many days. */
  days?: number;
};

export const auditDays = [1, 7, 30, 90];

/** A route's `validateSearch`: what it does not know is left out. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const target = textOf(search['target']);
  const actor = textOf(search['actor']);
  const project = textOf(search['project']);
  const days = auditDays.find((each) => String(each) === textOf(search['days']));
  return {
    ...(isTarget(target) && { target }),
    ...(/^(\d{1,16}|key|api_key|system)$/.test(actor) && { actor }),
    ...(/^[1-9]\d{0,15}$/.test(project) && { project: Number(project) }),
    ...(days !== undefined && { days }),
  };
}

const dayMs = 86_400_000;

/** The filters as the API takes them. */
export function auditFilter({ days, project, ...filter }: AuditSearch, now = Date.now()) {
  return {
    ...filter,
    ...(project !== undefined && { project_id: project }),
    ...(days !== undefined && { created_after: new Date(now - days * dayMs).toISOString() }),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

export const typeOf = (target: string): TargetType | undefined =>
  targetTypes.find((type) => type === target.split(':')[0]);

const isTarget = (target: string) => typeOf(target) !== undefined && /^[a-z_]+(:\d{1,16})?$/.test(target);
