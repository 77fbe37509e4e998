import type { FastifyReply } from 'fastify';
import type { LiveEvent } from '#contracts/live.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { processPart } from '#server/process-part.ts';
import { isInScope, scopeOf } from '#server/scope.ts';
import { areStillValid, readCredential } from './credentials.ts';
import type { Credential } from './credentials.ts';
import { openEventStream } from './event-stream.ts';
import type { EventStream } from './event-stream.ts';
import { recentLiveEvents, subscribeLive } from './subscribe-live.ts';
import { credentialsChannel } from './channels.ts';

const heartbeatMs = 20_000;
/** More open pages than one person has; beyond it the oldest of their streams ends. */
const maxStreamsPerPerson = 20;

type OpenStream = EventStream & { person: string; credential: Credential };
type Streams = { open: Set<OpenStream>; heartbeat: NodeJS.Timeout | undefined };

/** Of things of projects whose event does not name theirs, a member who is narrowed hears nothing. */
function isSeen(ctx: AccountContext, event: LiveEvent): boolean {
  if (event.type === 'notifications.changed') return ctx.actor.kind === 'user' && ctx.actor.userId === event.user_id;
  if ('project_id' in event) return isInScope(ctx, event.project_id);
  const isOfSomeProject = 'campaign_id' in event || 'flow_id' in event || 'bulk_run_id' in event;
  return !isOfSomeProject || scopeOf(ctx).projectIds === null;
}

const openStreamsOf = processPart((ctx) => {
  const streams: Streams = { open: new Set(), heartbeat: undefined };
  ctx.listener.subscribe(
    credentialsChannel,
    coalesce(() => checkCredentials(ctx)),
  );
  return streams;
});

/**
 * Answers with the account's live events until the page goes, its credential is revoked, or the server drains; those
 * of the last `missedMs` come first.
 */
export async function streamLiveEvents(ctx: AccountContext, reply: FastifyReply, missedMs = 0): Promise<void> {
  const streams = openStreamsOf(ctx);
  const credential = readCredential(ctx);
  const person = personOf(ctx);
  const stream: OpenStream = Object.assign(openEventStream(reply, close), { person, credential });
  const sendInScope = (event: LiveEvent) => {
    if (isSeen(ctx, event)) stream.send(event);
  };
  const unsubscribe = subscribeLive(ctx, sendInScope, { accountId: ctx.account.id });
  if (missedMs > 0) for (const event of recentLiveEvents(ctx, ctx.account.id, missedMs)) sendInScope(event);
  streams.open.add(stream);
  streams.heartbeat ??= setInterval(() => void beat(ctx, streams), heartbeatMs);
  endOldest(streams, person);

  function close(): void {
    unsubscribe();
    streams.open.delete(stream);
    if (streams.open.size > 0) return;
    clearInterval(streams.heartbeat);
    streams.heartbeat = undefined;
  }
}

/** How many pages of this process listen. */
export const countOpenStreams = (ctx: Pick<Context, 'process'>): number => openStreamsOf(ctx).open.size;

/** Runs the work once at a time, and once more when it was asked for meanwhile. `work` never rejects. */
function coalesce(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isRequested = false;
  async function runAll(): Promise<void> {
    isRunning = true;
    while (isRequested) {
      isRequested = false;
      await work();
    }
    isRunning = false;
  }
  return () => {
    isRequested = true;
    if (!isRunning) void runAll();
  };
}

/** Members of an account do not end one another's streams: pages come back, and would go on doing so. */
const personOf = ({ account, actor }: AccountContext): string =>
  `${account.id} ${actor.kind === 'user' ? actor.userId : actor.kind}`;

function endOldest(streams: Streams, person: string): void {
  const own = [...streams.open].filter((stream) => stream.person === person);
  for (const stream of own.slice(0, Math.max(0, own.length - maxStreamsPerPerson))) end(streams, stream);
}

function end(streams: Streams, stream: OpenStream): void {
  streams.open.delete(stream);
  stream.end();
}

async function beat(ctx: Context, streams: Streams): Promise<void> {
  for (const stream of streams.open) stream.sendHeartbeat();
  await checkCredentials(ctx);
}

async function checkCredentials(ctx: Context): Promise<void> {
  try {
    await endRevokedStreams(ctx);
  } catch (err) {
    ctx.logger.error({ err }, 'the credentials of open streams could not be checked');
  }
}

/** Ends the streams of this process whose session or api_key no longer lets anybody see what it did. */
export async function endRevokedStreams(ctx: Context): Promise<void> {
  const streams = openStreamsOf(ctx);
  if (streams.open.size === 0) return;
  const checked = [...streams.open];
  const valid = await areStillValid(
    ctx,
    checked.map(({ credential }) => credential),
  );
  for (const [index, stream] of checked.entries()) if (valid[index] !== true) end(streams, stream);
}

/** Ends every stream of this process, so that a server which drains can close. */
export function endLiveStreams(ctx: Context): void {
  for (const stream of openStreamsOf(ctx).open) stream.end();
}
