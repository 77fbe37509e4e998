import { randomBytes } from 'node:crypto';
import type { Message } from '#contracts/messages.ts';
import { compose } from '#server/compose.ts';
import { parseConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { createWebhookSecret, webhookSecretContext } from '#server/modules/identity/projects/index.ts';
import { ensurePartitions } from '#server/platform/db/partitions.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createTestDatabase } from './database.ts';

export type ProjectOwner = { accountId: number; projectId: number };

/** The server's parts without its HTTP, on a database of its own, with a clock that can be put forward. */
export type TestContext = {
  ctx: Context;
  putForward(ms: number): void;
  /** For what the application itself may not do. */
  ownerConnectionString: string;
  close(): Promise<void>;
};

export async function startTestContext(): Promise<TestContext> {
  const database = await createTestDatabase();
  let aheadMs = 0;
  const composition = compose({
    config: parseConfig({ WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true' }),
    connectionString: database.applicationConnectionString,
    secretKey: randomBytes(32),
    logger: createLogger(process.env['TEST_LOG_LEVEL'] ?? 'silent'),
    clock: { now: () => new Date(Date.now() + aheadMs) },
  });
  const { ctx } = composition;
  await ensurePartitions(ctx.db, new Date());
  await ctx.listener.start();
  return {
    ctx,
    ownerConnectionString: database.connectionString,
    putForward: (ms) => void (aheadMs += ms),
    async close() {
      await composition.close();
      await database.drop();
    },
  };
}

/** The webhook secret of every project that `addProject` makes. */
export const webhookSecret = createWebhookSecret();

/** An account with a project; what billing and the phones make of them does not matter here. */
export async function addProject(ctx: Context, webhookUrl: string | null): Promise<ProjectOwner> {
  const key = randomBytes(8).toString('hex');
  const account = await ctx.db
    .insertInto('accounts')
    .values({
      name: key,
      email: key,
      email_key: key,
      password_hash: '',
      api_key_hash: randomBytes(32),
      api_key_sealed: randomBytes(1),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const project = await ctx.db
    .insertInto('projects')
    .values({
      account_id: account.id,
      name: key,
      auth_key_hash: randomBytes(32),
      auth_key_sealed: randomBytes(1),
      webhook_url: webhookUrl,
      webhook_secret_sealed: ctx.secrets.seal(webhookSecret, webhookSecretContext(account.id)),
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { accountId: account.id, projectId: project.id };
}

/** A message of this id that has just been sent. */
export function messageSent({ accountId, projectId }: ProjectOwner, id: number): DomainEvent {
  const at = new Date();
  const data: Message = {
    id,
    project_id: projectId,
    phone_id: 1,
    campaign_id: null,
    flow_id: null,
    bulk_run_id: null,
    profile_id: null,
    to: '351912345678',
    from: '351919999999',
    from_lid: null,
    type: 'text',
    message: `Hello "${id}" 😀`,
    media: null,
    location: null,
    contacts: null,
    poll: null,
    template: null,
    order: null,
    pricing: null,
    payment: null,
    call: null,
    context: null,
    protocol_type: null,
    reply_to: null,
    reactions: [],
    metadata: null,
    source: 'api',
    direction: 'outgoing',
    status: 'sent',
    error: null,
    error_code: null,
    created_at: at.toISOString(),
    send_at: null,
    sent_at: at.toISOString(),
    delivered_at: null,
    read_at: null,
    edited_at: null,
    deleted_at: null,
    override_opt_out: false,
  };
  return { type: 'message.sent', accountId, projectId, at, data };
}
