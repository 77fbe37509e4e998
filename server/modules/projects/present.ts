import type { Selectable } from 'kysely';
import type { Project, Sending } from '#contracts/projects.ts';
import type { Context } from '#server/context.ts';
import { findSendingStates } from '#server/modules/phone-numbers/index.ts';
import type { SecretBox } from '#server/platform/secrets.ts';
import { openAuthKey, openWebhookSecret } from './project-keys.ts';
import type { ProjectsTable } from './tables.ts';

export type ProjectRow = Selectable<ProjectsTable>;

type AccountScope = Context & { account: { id: number; timezone: string } };

/** With its keys in the clear: its owner may see them again. */
export async function presentProject(ctx: AccountScope, row: ProjectRow): Promise<Project> {
  const [project] = await presentProjects(ctx, [row]);
  if (!project) throw new Error('A project was not presented');
  return project;
}

export async function presentProjects(ctx: AccountScope, rows: readonly ProjectRow[]): Promise<Project[]> {
  const sending = await findSendingStates(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row) => {
    const state = sending.get(row.id);
    return state ? [toProject(ctx.secrets, row, state)] : [];
  });
}

function toProject(secrets: SecretBox, row: ProjectRow, sending: Sending): Project {
  return {
    id: row.id,
    name: row.name,
    auth_key: openAuthKey(secrets, row),
    webhook_url: row.webhook_url,
    webhook_secret: openWebhookSecret(secrets, row),
    webhook_disabled_at: row.webhook_disabled_at?.toISOString() ?? null,
    webhook_disabled_reason: row.webhook_disabled_reason,
    status: row.status,
    is_connected: row.status === 'connected',
    connected_at: row.connected_at?.toISOString() ?? null,
    sending,
    created_at: row.created_at.toISOString(),
  };
}
