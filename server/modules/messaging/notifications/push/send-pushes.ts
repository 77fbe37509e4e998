import type { Agent } from 'undici';
import { sql } from 'kysely';
import type { NewPushSubscription, Notification } from '#contracts/notifications.ts';
import type { Context } from '#server/context.ts';
import { retryAt } from '#server/platform/backoff.ts';
import { forbiddenUrlReason } from '#server/platform/http/address-policy.ts';
import { checkedLookup, ForbiddenAddressError } from '#server/platform/http/resolve-host.ts';
import { findNotifications } from '../read-notifications.ts';
import { settingsOf } from '../settings.ts';
import { textsOf } from '../texts-of.ts';
import { getPushKeys } from './push-keys.ts';
import type { PushKeys } from './push-keys.ts';
import { sealContextOf } from './subscriptions.ts';
import type { SealedBy } from './subscriptions.ts';

/** Pushes that one round takes and sends together. */
const pushesPerRound = 20;
/** How long a push waits when the process that took it died while it sent. */
const leaseMs = 60_000;
const deadlineMs = 10_000;
const mostAttempts = 6;
/** For how long a push service keeps one for a browser that is off. */
const timeToLiveSeconds = 86_400;

type Claimed = SealedBy & {
  id: number;
  subscription_id: number;
  notification_id: number;
  attempts: number;
  /** The person is a member who sees it, and the session is open. */
  is_welcome: boolean;
};

/** `gone`: the browser takes no more. `refused`: this one will never be taken. */
type Outcome = 'sent' | 'gone' | 'refused' | 'failed';

/** Sends what is due until nothing is left or `isStopped`. Any number of processes may run it. */
export async function sendPushes(ctx: Context, isStopped: () => boolean = () => false): Promise<void> {
  let agent: Agent | undefined;
  try {
    while (!isStopped()) {
      const claimed = await claim(ctx);
      if (claimed.length === 0) return;
      agent ??= await createAgent(ctx);
      const keys = await getPushKeys(ctx);
      const sending = agent;
      await Promise.all(claimed.map((push) => sendOne(ctx, push, { agent: sending, keys })));
    }
  } finally {
    await agent?.destroy();
  }
}

async function createAgent({ egress }: Context): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({
    connect: { lookup: checkedLookup(egress.resolveHost, egress.isPrivateAllowed), timeout: deadlineMs },
  });
}

// account-wide: the pushes of all accounts go in the order in which they are due.
async function claim(ctx: Context): Promise<Claimed[]> {
  const now = ctx.clock.now();
  const { rows } = await sql<Claimed>`
    /* prepared: claim-pushes */
    with due as (
      select id from push_deliveries where next_attempt_at <= ${now}
       order by next_attempt_at limit ${pushesPerRound} for update skip locked
    ), taken as (
      update push_deliveries d set next_attempt_at = ${new Date(now.getTime() + leaseMs)}, attempts = d.attempts + 1
        from due where d.id = due.id
      returning d.*
    )
    select t.id, t.subscription_id, t.notification_id, t.attempts, p.account_id, p.user_id, p.endpoint_hash, p.sealed,
           (n.read_at is null
            and exists (select from sessions s where s.token_hash = p.session_hash and s.expires_at > ${now})
            and exists (select from members m
                         where m.account_id = p.account_id and m.user_id = p.user_id
                           and (n.project_id is null or m.project_ids is null or n.project_id = any(m.project_ids))))
             as is_welcome
      from taken t
      join push_subscriptions p on p.account_id = t.account_id and p.id = t.subscription_id
      join notifications n on n.account_id = t.account_id and n.id = t.notification_id
  `.execute(ctx.db);
  return rows;
}

type Way = { agent: Agent; keys: PushKeys };

async function sendOne(ctx: Context, push: Claimed, way: Way): Promise<void> {
  if (!push.is_welcome) return forget(ctx, push);
  const outcome = await attempt(ctx, push, way);
  if (outcome === 'gone') {
    // account-wide: the row is named by its account and its id.
    await sql`
      delete from push_subscriptions where account_id = ${push.account_id} and id = ${push.subscription_id}
    `.execute(ctx.db);
  } else if (outcome === 'failed' && push.attempts < mostAttempts) {
    const at = retryAt(ctx.clock.now(), push.attempts);
    await sql`update push_deliveries set next_attempt_at = ${at}::timestamptz where id = ${push.id}`.execute(ctx.db);
  } else {
    await forget(ctx, push);
  }
}

async function forget(ctx: Context, { id }: Claimed): Promise<void> {
  await sql`delete from push_deliveries where id = ${id}`.execute(ctx.db);
}

async function attempt(ctx: Context, push: Claimed, { agent, keys }: Way): Promise<Outcome> {
  try {
    const subscription = JSON.parse(ctx.secrets.open(push.sealed, sealContextOf(push))) as NewPushSubscription;
    if (forbiddenUrlReason(subscription.endpoint, ctx.egress.isPrivateAllowed) !== undefined) return 'gone';
    const payload = await payloadOf(ctx, push);
    if (payload === undefined) return 'refused';
    const { default: webPush } = await import('web-push');
    const { method, headers, body } = webPush.generateRequestDetails(subscription, payload, {
      vapidDetails: { subject: subjectOf(ctx), publicKey: keys.publicKey, privateKey: keys.privateKey },
      TTL: timeToLiveSeconds,
    });
    const { request } = await import('undici');
    const answer = await request(subscription.endpoint, {
      dispatcher: agent,
      method: method as 'POST',
      headers: Object.fromEntries(Object.entries(headers as object).map(([name, value]) => [name, String(value)])),
      body,
      signal: AbortSignal.timeout(deadlineMs),
    });
    answer.body.on('error', () => undefined).destroy();
    return outcomeOf(answer.statusCode);
  } catch (error) {
    if (error instanceof ForbiddenAddressError) return 'gone';
    ctx.logger.warn({ err: error, accountId: push.account_id }, 'a push was not taken');
    return 'failed';
  }
}

/** RFC 8030: 404 and 410 say that the subscription is over; 403 that it was made for other keys. */
function outcomeOf(statusCode: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return 'sent';
  if (statusCode === 404 || statusCode === 410 || statusCode === 403) return 'gone';
  return statusCode === 429 || statusCode >= 500 ? 'failed' : 'refused';
}

/** Push services ask for a way to reach whoever runs the installation. */
function subjectOf({ config: { publicUrl } }: Context): string {
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:dovepost@localhost.invalid';
}

/** As the service worker reads it: `tag` lets a later one of the same conversation take its place. */
async function payloadOf(ctx: Context, push: Claimed): Promise<string | undefined> {
  const { account_id: accountId, user_id: userId } = push;
  const condition = sql`n.id = ${push.notification_id}`;
  const [notification] = await findNotifications(ctx, { accountId, condition, limit: 1 });
  if (!notification) return undefined;
  const { shows_texts: showsTexts } = await settingsOf(ctx, { accountId, userId });
  const texts = showsTexts ? await textsOf(ctx, { accountId, notifications: [notification] }) : undefined;
  return JSON.stringify({
    title: notification.title,
    body: texts?.get(notification.id) ?? '',
    path: pathOf(notification),
    tag: `${notification.kind} ${notification.conversation_id ?? notification.alert_id}`,
  });
}

const pathOf = ({ conversation_id: id }: Notification) => (id === null ? '/' : `/inbox?conversation=${id}`);
