import type { PhoneNumber, PhoneStatus } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import type { WebhookHealth } from '#contracts/webhooks.ts';

type LostStatus = Extract<PhoneStatus, 'disconnected' | 'auth_failed' | 'banned'>;

export type AttentionItem =
  | { kind: 'sending'; project: Project }
  | { kind: 'phone'; phone: PhoneNumber; status: LostStatus }
  | { kind: 'webhook-off'; project: Project }
  | { kind: 'webhook'; project: Project; health: WebhookHealth };

/** What is known of one project; undefined while it loads. */
export type ProjectState = {
  project: Project;
  phones: readonly PhoneNumber[] | undefined;
  webhook: WebhookHealth | undefined;
};

/** What keeps messages or their news from going out, the gravest first. Payments have their banner on every page. */
export function attentionItems(projects: readonly ProjectState[]): readonly AttentionItem[] {
  return [
    ...projects.filter(isStuck).map(({ project }) => ({ kind: 'sending' as const, project })),
    ...projects.flatMap(({ phones = [] }) => phones.flatMap(ofPhone)),
    ...projects.flatMap(ofWebhook),
  ];
}

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

function ofWebhook({ project, webhook }: ProjectState): AttentionItem[] {
  if (project.webhook_disabled_at !== null) return [{ kind: 'webhook-off', project }];
  return webhook?.is_failing ? [{ kind: 'webhook', project, health: webhook }] : [];
}
