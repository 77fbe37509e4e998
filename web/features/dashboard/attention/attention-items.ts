import type { Alert, AlertKind } from '#contracts/alerts.ts';
import type { PhoneNumber, PhoneStatus } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import type { WebhookHealth } from '#contracts/webhooks.ts';

type LostStatus = Extract<PhoneStatus, 'disconnected' | 'auth_failed' | 'banned'>;

export type AttentionItem =
  | { kind: 'sending'; project: Project }
  | { kind: 'phone'; phone: PhoneNumber; status: LostStatus }
  | { kind: 'webhook-off'; project: Project }
  | { kind: 'webhook'; project: Project; health: WebhookHealth }
  | { kind: 'alert'; alert: Alert };

/** The known state of a project; undefined while it loads. */
export type ProjectState = {
  project: Project;
  phones: readonly PhoneNumber[] | undefined;
  webhook: WebhookHealth | undefined;
};

/** The obstacles to sending and to reporting events, the gravest first. Payments have their banner on every page. */
export function attentionItems(
  projects: readonly ProjectState[],
  { data: alerts, hidden_kinds: hidden }: Alerts = noAlerts,
): readonly AttentionItem[] {
  const isShown = (kind: AlertKind) => !hidden.includes(kind);
  return [
    ...projects.filter(isStuck).map(({ project }) => ({ kind: 'sending' as const, project })),
    ...(isShown('phone_lost') ? projects.flatMap(({ phones = [] }) => phones.flatMap(ofPhone)) : []),
    ...projects.flatMap((state) => ofWebhook(state, isShown('webhook_failing'))),
    ...alerts
      .filter(({ kind }) => isShown(kind) && !seenDirectly.includes(kind))
      .map((alert) => ({ kind: 'alert' as const, alert })),
  ];
}

/** Their state is read from the phones and webhooks themselves, from the first moment on. */
const seenDirectly: readonly AlertKind[] = ['phone_lost', 'webhook_failing'];

type Alerts = { data: readonly Alert[]; hidden_kinds: readonly AlertKind[] };
const noAlerts: Alerts = { data: [], hidden_kinds: [] };

/** Connected, and yet the rotation has no phone for the next message. */
function isStuck({ project: { is_connected, sending } }: ProjectState): boolean {
  return is_connected && !sending.can_send && sending.reason !== 'no_connected_phone';
}

/** A phone out of the rotation is missed by nobody. */
function ofPhone(phone: PhoneNumber): AttentionItem[] {
  return phone.is_active && isLost(phone.status) ? [{ kind: 'phone', phone, status: phone.status }] : [];
}

function isLost(status: PhoneStatus): status is LostStatus {
  return status === 'disconnected' || status === 'auth_failed' || status === 'banned';
}

function ofWebhook({ project, webhook }: ProjectState, isFailureShown: boolean): AttentionItem[] {
  if (project.webhook_disabled_at !== null) return [{ kind: 'webhook-off', project }];
  return webhook?.is_failing && isFailureShown ? [{ kind: 'webhook', project, health: webhook }] : [];
}
