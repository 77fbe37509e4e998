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
  /** Words of who did it, to what, and of where. */
  search?: string;
  /** Only what was done in so many days. */
  days?: number;
  /** In place of `days`: the first and the last day, `2026-11-20`, as this browser has them. */
  from?: string;
  to?: string;
};

export const auditDays = [1, 7, 30, 90];

/** A route's `validateSearch`: what it does not know is left out. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const target = textOf(search['target']);
  const actor = textOf(search['actor']);
  const project = textOf(search['project']);
  const days = auditDays.find((each) => String(each) === textOf(search['days']));
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])];
  const words = textOf(search['search']).trim().slice(0, 100);
  return {
    ...(isTarget(target) && { target }),
    ...(/^(\d{1,16}|key|api_key|system)$/.test(actor) && { actor }),
    ...(/^[1-9]\d{0,15}$/.test(project) && { project: Number(project) }),
    ...(words !== '' && { search: words }),
    ...(from === undefined && to === undefined
      ? days !== undefined && { days }
      : { ...(from && { from }), ...(to && { to }) }),
  };
}

const dayOf = (value: unknown) => (isDay(textOf(value)) ? textOf(value) : undefined);

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`));

/** The midnight that a day begins with, or another one so many days later. */
function midnight(day: string, later = 0): string {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + later);
  return at.toISOString();
}

const dayMs = 86_400_000;

/** The filters as the API takes them. */
export function auditFilter({ days, project, from, to, ...filter }: AuditSearch, now = Date.now()) {
  return {
    ...filter,
    ...(from !== undefined && { created_after: midnight(from) }),
    ...(to !== undefined && { created_before: midnight(to, 1) }),
    ...(project !== undefined && { project_id: project }),
    ...(days !== undefined && { created_after: new Date(now - days * dayMs).toISOString() }),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

export const typeOf = (target: string): TargetType | undefined =>
  targetTypes.find((type) => type === target.split(':')[0]);

const isTarget = (target: string) => typeOf(target) !== undefined && /^[a-z_]+(:\d{1,16})?$/.test(target);
