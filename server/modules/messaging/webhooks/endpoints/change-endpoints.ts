import { sql } from 'kysely';
import type { Updateable } from 'kysely';
import { namedOnlyEvents } from '#contracts/webhooks.ts';
import type { NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointChange } from '#contracts/webhook-endpoints.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { recordDestinationChange } from '#server/modules/identity/users/index.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import {
  checkWebhookUrl,
  createWebhookSecret,
  getProject,
  lockProject,
  recordUrlChange,
  rotateWebhookSecret,
  updateProjectWebhook,
  webhookSecretContext,
} from '#server/modules/identity/projects/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { announceDueWebhooks } from '../announce-webhooks.ts';
import type { LiveEndpoint } from '../require-live-endpoint.ts';
import type { WebhookEndpointsTable } from '../tables.ts';
import { presentEndpoints } from './present-endpoint.ts';
import { findEndpoints, lockEndpoint } from './queries.ts';

type EndpointKey = { projectId: number; endpointId: number };
type Columns = Updateable<WebhookEndpointsTable>;

const maxEndpoints = 10;
const hourMs = 60 * 60_000;

export async function listEndpoints(
  ctx: AccountContext,
  { projectId }: { projectId: number },
): Promise<{ data: WebhookEndpoint[] }> {
  await getProject(ctx, projectId);
  return { data: await presentEndpoints(ctx, await findEndpoints(ctx, projectId)) };
}

function storedEvents(events: readonly string[]): Pick<Columns, 'events' | 'named_events'> {
  if (!events.includes('*')) return { events: [...events], named_events: null };
  const named = namedOnlyEvents.filter((type) => events.includes(type));
  return { events: null, named_events: named.length > 0 ? named : null };
}

/** Throws 409 `endpoint_limit`. */
export async function createEndpoint(
  ctx: AccountContext,
  { projectId, url, events, description = null, origin }: NewWebhookEndpoint & { projectId: number; origin: Origin },
): Promise<WebhookEndpoint> {
  checkWebhookUrl(ctx, url, 'url');
  return inTransaction(ctx, async (tx) => {
    // Two that are added at once must not both become the first, or both see room for the last one.
    await lockProject(tx, { accountId: tx.account.id, projectId });
    const project = await getProject(tx, projectId);
    const values = { ...storedEvents(events), description };
    if (project.webhook_url === null) {
      await updateProjectWebhook(tx, { projectId, webhook_url: url, origin });
      return saveAndPresent(tx, { projectId, queueId: -projectId }, { columns: values, isNewSecret: true });
    }
    const { length } = await findEndpoints(tx, projectId);
    if (length >= maxEndpoints) {
      throw new ConflictError('endpoint_limit', `A project has at most ${maxEndpoints} endpoints. Delete one first.`);
    }
    const row = await tx.db
      .insertInto('webhook_endpoints')
      .values({
        account_id: tx.account.id,
        project_id: projectId,
        url,
        secret_sealed: newSecret(tx),
        created_at: tx.clock.now(),
        ...values,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordUrlChange(tx, { from: null, to: url, origin });
    return presentChanged(tx, { ...row, url }, { isNewSecret: true });
  });
}

const newSecret = ({ secrets, account }: AccountContext) =>
  secrets.seal(createWebhookSecret(), webhookSecretContext(account.id));

/** A URL that is saved is switched on again; what waits goes to the one that is there when it is due. */
export async function updateEndpoint(
  ctx: AccountContext,
  { projectId, endpointId, change, origin }: EndpointKey & { change: WebhookEndpointChange; origin: Origin },
): Promise<WebhookEndpoint> {
  checkWebhookUrl(ctx, change.url, 'url');
  return inTransaction(ctx, async (tx) => {
    await lockProject(tx, { accountId: tx.account.id, projectId });
    const endpoint = await lockEndpoint(tx, { projectId, endpointId });
    if (change.url !== undefined && endpoint.is_first) {
      await updateProjectWebhook(tx, { projectId, webhook_url: change.url, origin });
    } else if (change.url !== undefined && change.url !== endpoint.url) {
      await recordUrlChange(tx, { from: endpoint.url, to: change.url, origin });
    }
    const saved = await saveAndPresent(
      tx,
      { projectId, queueId: endpoint.queue_id },
      { columns: columnsOf(tx, endpoint, change) },
    );
    if (change.is_paused === true && !endpoint.paused_at) await holdBack(tx, endpoint);
    if (change.is_paused === false && endpoint.paused_at) await release(tx, endpoint);
    return saved;
  });
}

function columnsOf(tx: Tx, endpoint: LiveEndpoint, change: WebhookEndpointChange): Columns {
  const pausedAt = change.is_paused ? (endpoint.paused_at ?? tx.clock.now()) : null;
  return {
    ...(change.events && storedEvents(change.events)),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.is_paused !== undefined && { paused_at: pausedAt }),
    ...(change.url !== undefined &&
      !endpoint.is_first && { url: change.url, failing_since: null, disabled_at: null, disabled_reason: null }),
  };
}

/** The first one is the project's webhook_url: without it the project has none. Its waiting records fail. */
export async function deleteEndpoint(
  ctx: AccountContext,
  { origin, ...key }: EndpointKey & { origin: Origin },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockProject(tx, { accountId: tx.account.id, projectId: key.projectId });
    const endpoint = await lockEndpoint(tx, key);
    if (endpoint.is_first) {
      await updateProjectWebhook(tx, { projectId: key.projectId, webhook_url: null, origin });
      return;
    }
    await tx.db
      .deleteFrom('webhook_endpoints')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', endpoint.id)
      .execute();
    await recordUrlChange(tx, { from: endpoint.url, to: null, origin });
    // Attempts under way go on; waiting records would find no endpoint.
    await release(tx, endpoint);
    await publishLive(tx, tx.account.id, { type: 'projects.changed', project_id: key.projectId });
  });
}

/** The old secret signs beside the new one for `overlapHours`. */
export async function rotateEndpointSecret(
  ctx: AccountContext,
  { overlapHours, origin, ...key }: EndpointKey & { overlapHours: number; origin: Origin },
): Promise<WebhookEndpoint> {
  return inTransaction(ctx, async (tx) => {
    await lockProject(tx, { accountId: tx.account.id, projectId: key.projectId });
    const endpoint = await lockEndpoint(tx, key);
    const at = { projectId: key.projectId, queueId: endpoint.queue_id };
    if (endpoint.is_first) {
      await rotateWebhookSecret(tx, { projectId: key.projectId, overlapHours, origin });
      return saveAndPresent(tx, at, { columns: {}, isNewSecret: true });
    }
    await recordDestinationChange(tx, { type: 'webhook_secret_rotated', origin, detail: endpoint.url });
    const columns = {
      secret_sealed: newSecret(tx),
      old_secret_sealed: overlapHours > 0 ? endpoint.secret_sealed : null,
      old_secret_until: overlapHours > 0 ? new Date(tx.clock.now().getTime() + overlapHours * hourMs) : null,
    };
    return saveAndPresent(tx, at, { columns, isNewSecret: true });
  });
}

async function saveAndPresent(
  tx: Tx<AccountContext>,
  { projectId, queueId }: { projectId: number; queueId: number },
  { columns, isNewSecret = false }: { columns: Columns; isNewSecret?: boolean },
): Promise<WebhookEndpoint> {
  if (Object.keys(columns).length > 0) {
    await tx.db
      .updateTable('webhook_endpoints')
      .set(columns)
      .where('account_id', '=', tx.account.id)
      .where('queue_id', '=', queueId)
      .execute();
  }
  const saved = (await findEndpoints(tx, projectId)).find(({ queue_id }) => queue_id === queueId);
  if (!saved) throw new Error('An endpoint that was saved is not there');
  return presentChanged(tx, saved, { isNewSecret });
}

async function presentChanged(
  tx: Tx<AccountContext>,
  row: LiveEndpoint,
  { isNewSecret }: { isNewSecret: boolean },
): Promise<WebhookEndpoint> {
  await publishLive(tx, tx.account.id, { type: 'projects.changed', project_id: row.project_id });
  const [presented] = await presentEndpoints(tx, [row], { isNewSecret });
  if (!presented) throw new Error('An endpoint was not presented');
  return presented;
}

/** Makes waiting records never due while the endpoint is paused. */
async function holdBack(tx: Tx, endpoint: LiveEndpoint): Promise<void> {
  await sql`
    update webhook_records r set next_attempt_at = null
     where r.account_id = ${endpoint.account_id} and coalesce(r.endpoint_id, -r.project_id) = ${endpoint.queue_id}
       and r.status = 'pending' and r.next_attempt_at is not null
  `.execute(tx.db);
}

async function release(tx: Tx, endpoint: LiveEndpoint): Promise<void> {
  await sql`
    update webhook_records r set next_attempt_at = ${tx.clock.now()}
     where r.account_id = ${endpoint.account_id} and coalesce(r.endpoint_id, -r.project_id) = ${endpoint.queue_id}
       and r.status = 'pending' and r.next_attempt_at is null
  `.execute(tx.db);
  await announceDueWebhooks(tx, {
    accountId: endpoint.account_id,
    projectId: endpoint.project_id,
    queueIds: [endpoint.queue_id],
  });
}
