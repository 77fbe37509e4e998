import type { Project } from '#contracts/projects.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { openAuthKey, openWebhookSecret } from './project-keys.ts';
import type { ProjectRow } from './tables.ts';

/** How many phones a project has, whether they can send now, and if not, what for and until when it waits. */
export type ProjectStanding = Pick<
  Project,
  'phone_count' | 'connected_phone_count' | 'sending' | 'waiting_for' | 'waiting_until'
>;

/** With its keys in the clear for who may manage them, and its webhook for who may read those. `standing` is what its phones make of it. */
export function presentProject(
  { actor, secrets }: AccountContext,
  row: ProjectRow,
  standing: ProjectStanding,
): Project {
  const showsKeys = isPermitted(actor, 'keys:write');
  return {
    id: row.id,
    name: row.name,
    auth_key: showsKeys ? openAuthKey(secrets, row) : null,
    webhook_url: isPermitted(actor, 'webhooks:read') ? row.webhook_url : null,
    webhook_secret: showsKeys ? openWebhookSecret(secrets, row) : null,
    webhook_disabled_at: row.webhook_disabled_at?.toISOString() ?? null,
    webhook_disabled_reason: row.webhook_disabled_reason,
    status: row.status,
    is_connected: row.status === 'connected',
    connected_at: row.connected_at?.toISOString() ?? null,
    sticky_sender: row.is_sticky,
    direct_first_contacts: row.direct_first_contacts,
    read_receipts: row.marks_read,
    typing_indicators: row.shows_typing,
    import_history: row.imports_history,
    media_kept_days: row.media_kept_days,
    ...standing,
    created_at: row.created_at.toISOString(),
  };
}
