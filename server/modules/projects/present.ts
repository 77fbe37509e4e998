import type { Selectable } from 'kysely';
import type { Project } from '#contracts/projects.ts';
import type { ProjectsTable } from '#server/platform/db/schema.ts';
import type { SecretBox } from '#server/platform/secrets.ts';
import { openAuthKey, openWebhookSecret } from './project-keys.ts';

export type ProjectRow = Selectable<ProjectsTable>;

/** With its keys in the clear: its owner may see them again. */
export function presentProject(secrets: SecretBox, row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    auth_key: openAuthKey(secrets, row),
    webhook_url: row.webhook_url,
    webhook_secret: openWebhookSecret(secrets, row),
    status: row.status,
    is_connected: row.status === 'connected',
    connected_at: row.connected_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
