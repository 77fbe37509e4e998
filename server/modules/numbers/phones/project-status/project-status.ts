import type { PhoneStatus } from '#contracts/phone-numbers.ts';
import type { ProjectStatus } from '#contracts/projects.ts';

export type StatusOfPhone = {
  status: PhoneStatus;
  statusChangedAt: Date;
  connectedAt: Date | null;
  wasConnected: boolean;
};

/** The status of a project by its phones; `connectedAt` is when its present connection began. */
export type ProjectState = { status: ProjectStatus; connectedAt: Date | null };

/** `before` is the project's state so far: while it stays connected, it keeps the time at which that began. */
export function projectState(phones: readonly StatusOfPhone[], before: ProjectState): ProjectState {
  const connected = phones.filter(({ status }) => status === 'connected');
  if (connected.length > 0) return { status: 'connected', connectedAt: connectedSince(connected, before) };
  if (isRefused(lastChanged(phones))) return { status: 'auth_failed', connectedAt: null };
  const wasConnected = phones.some((phone) => phone.wasConnected);
  return { status: wasConnected ? 'disconnected' : 'created', connectedAt: null };
}

function connectedSince(connected: readonly StatusOfPhone[], before: ProjectState): Date {
  if (before.status === 'connected' && before.connectedAt) return before.connectedAt;
  const starts = connected.map(({ connectedAt, statusChangedAt }) => (connectedAt ?? statusChangedAt).getTime());
  return new Date(Math.min(...starts));
}

function lastChanged(phones: readonly StatusOfPhone[]): StatusOfPhone | undefined {
  return phones.toSorted((a, b) => b.statusChangedAt.getTime() - a.statusChangedAt.getTime())[0];
}

/** A project has no status of its own for a ban: it, too, is WhatsApp's refusal to let the phone in. */
function isRefused(phone: StatusOfPhone | undefined): boolean {
  return phone?.status === 'auth_failed' || phone?.status === 'banned';
}
