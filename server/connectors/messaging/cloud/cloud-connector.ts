import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectorTraits, standardThroughput } from '#contracts/connectors.ts';
import { pauseAfter, spread } from '#server/platform/backoff.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import { MediaMissingError } from '../port.ts';
import type {
  Connector,
  OpenSession,
  OutgoingMessage,
  SendOutcome,
  Session,
  SignUpAnswer,
  StandingSignal,
} from '../port.ts';
import { createProfileAccess } from './business-profile.ts';
import { checkNumber, testNumber } from './check-number.ts';
import { composeMessage } from './compose-message.ts';
import { cloudEngine, parseCredentials } from './credentials.ts';
import type { CloudCredentials } from './credentials.ts';
import { actionOf, adviceFor, isHeldBack, outcomeOf, slowedMs, slowPauseMs, unknownInARow } from './faults.ts';
import { createGraph } from './graph.ts';
import type { Graph, GraphAnswer, GraphFault } from './graph.ts';
import { fetchCloudMedia, uploadMedia } from './media.ts';
import { SendAnswer, SuccessAnswer } from './schemas.ts';
import { requestShared } from './shared-data.ts';
import { takeSignUp, testApp } from './sign-up.ts';
import type { MetaApp } from './sign-up.ts';
import { createPairPace } from './pair-pace.ts';
import { createTemplateAccess } from './templates.ts';
import { createThrottle } from './throttle.ts';

type Options = { baseUrl: string; version: string; app: MetaApp | undefined; clock: Clock; logger: Logger };

const reconnectGrowth = { firstMs: 1_000, longestMs: 60_000 };

/** Meta's official API: a session is the worker's right to send for a number, and a check that it may. */
export function createCloudConnector({ baseUrl, version, app, clock, logger }: Options): Connector {
  const graph = createGraph({ baseUrl, version });
  return {
    name: 'cloud',
    engine: cloudEngine,
    // Nothing makes a second POST the same message.
    resendIsHarmless: false,
    concurrentSends: connectorTraits.cloud.concurrency,
    createNetworkId: () => randomUUID(),
    testCredentials: ({ credentials, expectedNumber }) =>
      testNumber(graph, { credentials: parseCredentials(credentials), expectedNumber, now: clock.now() }),
    requestShared: ({ credentials }) => requestShared(graph, parseCredentials(credentials)),
    ...(app && {
      takeSignUp: (answer: SignUpAnswer) => takeSignUp(graph, app, answer),
      testApp: () => testApp(graph, app),
    }),
    templates: createTemplateAccess(graph),
    profiles: createProfileAccess(graph),
    open: (input) => openSession(input, { graph, clock, logger }),
  };
}

type Parts = { graph: Graph; clock: Clock; logger: Logger };

function openSession(input: OpenSession, { graph, clock, logger }: Parts): Session {
  const { events, media } = input;
  const closing = new AbortController();
  const throttle = createThrottle(standardThroughput);
  const pairs = createPairPace(() => clock.now().getTime());
  const pairRefusals = new Map<string, number>();
  let credentials: CloudCredentials | undefined;
  let unknown = { code: 0, recipients: new Set<string>() };

  /** Tries until it is connected, or the network says that it cannot be. */
  async function connect(): Promise<void> {
    events.onState({ status: 'connecting' });
    for (let attempt = 1; !closing.signal.aborted; attempt += 1) {
      const text = await input.credentials.readCredentials();
      if (text === undefined)
        return events.onState({ status: 'auth_failed', reason: 'Enter the credentials of this number' });
      const read = parseCredentials(text);
      const verdict = await checkNumber(graph, { credentials: read, expectedNumber: input.expectedNumber });
      if (closing.signal.aborted) return;
      if (verdict.kind === 'refused') return events.onState({ status: 'auth_failed', reason: verdict.reason });
      if (verdict.kind === 'ready') {
        credentials = read;
        throttle.setRate(verdict.facts.messages_per_second);
        return events.onState({ status: 'connected', phoneNumber: verdict.number, facts: verdict.facts });
      }
      events.onState({ status: 'reconnecting', reason: verdict.reason });
      await delay(spread(pauseAfter(attempt, reconnectGrowth)), undefined, { signal: closing.signal }).catch(
        () => undefined,
      );
    }
  }

  connect().catch((error: unknown) => {
    logger.error({ err: error, phoneId: input.phoneId }, 'a number of the official API could not be opened');
    if (!closing.signal.aborted)
      events.onState({ status: 'reconnecting', reason: 'The number could not be opened', isOurs: true });
  });

  function stopNumber(fault: GraphFault): void {
    events.onState({ status: 'auth_failed', reason: adviceFor(fault) });
  }

  function signal(news: StandingSignal): void {
    events.onSignal(news).catch((error: unknown) => {
      logger.warn({ err: error, phoneId: input.phoneId, kind: news.kind }, 'a word of Meta could not be noted');
    });
  }

  /** A limit of the number holds for all that waits. */
  function holdBack(fault: GraphFault): void {
    const until = new Date(clock.now().getTime() + slowedMs(fault.code));
    signal({ kind: 'held', until, reason: adviceFor(fault) });
  }

  function afterFault(fault: GraphFault, to: string): SendOutcome {
    const action = actionOf(fault.code);
    if (action !== undefined || unknown.code !== fault.code) unknown = { code: fault.code, recipients: new Set() };
    if (action === undefined) unknown.recipients.add(to);
    if (action === 'number' || unknown.recipients.size >= unknownInARow) stopNumber(fault);
    if (action === 'slow') throttle.pause(slowPauseMs);
    if (isHeldBack(fault.code)) holdBack(fault);
    if (action === 'opt_out') signal({ kind: 'marketing_stopped', to });
    const earlier = pairRefusals.get(to) ?? 0;
    if (action === 'pair') pairRefusals.set(to, earlier + 1);
    return outcomeOf(fault, { now: clock.now(), earlier });
  }

  async function send(message: OutgoingMessage): Promise<SendOutcome> {
    const current = credentials;
    if (!current || closing.signal.aborted) return notConnected;
    const waitMs = pairs.take(message.to);
    if (waitMs > 0) return pairHeld(waitMs);
    const file = await uploadFor(message, current);
    if (file.kind !== 'answered')
      return file.kind === 'fault' ? afterFault(file.fault, message.to) : uploadFailed(file.reason);
    await throttle.turn();
    if (closing.signal.aborted) return notConnected;
    const answer = await graph.call({
      method: 'POST',
      path: `${current.phone_number_id}/messages`,
      token: current.access_token,
      json: composeMessage(message, file.body.id),
      answer: SendAnswer,
    });
    switch (answer.kind) {
      case 'answered':
        unknown.recipients.clear();
        pairRefusals.delete(message.to);
        return { kind: 'accepted', at: clock.now(), networkId: answer.body.messages[0].id };
      case 'fault':
        return afterFault(answer.fault, message.to);
      case 'unreachable':
        return { kind: 'unknown', reason: answer.reason, isAttempted: false };
      case 'unknown':
        return { kind: 'unknown', reason: answer.reason, isAttempted: true };
    }
  }

  const pairHeld = (waitMs: number): SendOutcome => ({
    kind: 'held',
    code: 'network_refused',
    reason: 'Meta takes a message in six seconds to the same person: this one waits for its turn.',
    until: new Date(clock.now().getTime() + waitMs),
  });

  const uploadFailed = (reason: string): SendOutcome => ({
    kind: 'held',
    code: 'media_upload_failed',
    reason,
    until: new Date(clock.now().getTime() + 60_000),
  });

  async function uploadFor(
    { content }: OutgoingMessage,
    current: CloudCredentials,
  ): Promise<GraphAnswer<{ id: string | undefined }>> {
    const file = fileOf(content);
    if (!file) return { kind: 'answered', body: { id: undefined } };
    try {
      return await uploadMedia(graph, { credentials: current, media, content: file, now: clock.now() });
    } catch (error) {
      if (error instanceof MediaMissingError) return { kind: 'fault', fault: missingFile };
      return { kind: 'unreachable', reason: (error as Error).message };
    }
  }

  function close(): Promise<void> {
    closing.abort();
    return Promise.resolve();
  }

  return {
    async send(message) {
      const { type } = message.content;
      if (type === 'poll' || type === 'edit' || type === 'deletion' || type === 'number_request') {
        const reason = `The official API has no ${type.replace('_', ' ')}`;
        return { kind: 'refused', code: 'network_refused', reason };
      }
      return send(message).catch((error: unknown): SendOutcome => {
        logger.error({ err: error, phoneId: input.phoneId }, 'a message of the official API could not be sent');
        return { kind: 'unknown', reason: 'The message could not be sent', isAttempted: true };
      });
    },
    async fetchMedia(wanted) {
      if (!credentials) return { kind: 'later', reason: notConnected.reason };
      return fetchCloudMedia(graph, { credentials, media, wanted }).catch((error: unknown) => ({
        kind: 'later',
        reason: (error as Error).message,
      }));
    },
    async markRead(_peer, networkIds) {
      const last = networkIds.at(-1);
      if (!credentials || last === undefined) return;
      const answer = await graph.call({
        method: 'POST',
        path: `${credentials.phone_number_id}/messages`,
        token: credentials.access_token,
        json: { messaging_product: 'whatsapp', status: 'read', message_id: last },
        answer: SuccessAnswer,
      });
      if (answer.kind === 'answered') return;
      const isLater = answer.kind !== 'fault' || isOfNumber(answer.fault);
      if (isLater) throw new Error('Meta did not take that the message was read');
      const { phoneId } = input;
      logger.info({ phoneId, code: answer.fault.code }, 'Meta knows nothing of a message that was read');
    },
    // Typing marks the message as read as well, so it is not shown.
    attend: () => undefined,
    requestPairingCode: () => Promise.resolve(undefined),
    // The number stays with Meta; only its credentials are forgotten, by whoever keeps them.
    signOut: close,
    close,
    abandon: () => void close(),
  };
}

/** The file that has to be at Meta before the message is: its own, or that of a template's header. */
function fileOf(content: OutgoingMessage['content']): Parameters<typeof uploadMedia>[1]['content'] | undefined {
  if ('media' in content) return content;
  const header = content.type === 'template' ? content.template.header_media : null;
  return header ? { type: header.type, text: '', media: header.media } : undefined;
}

/** Whether a fault is the number's, or the service's own: what it refused may be taken later. */
const isOfNumber = ({ code }: GraphFault) => ['retry', 'slow', 'number'].includes(actionOf(code) ?? '');

const notConnected = { kind: 'unknown', reason: 'The number is not connected', isAttempted: false } as const;

/** As Meta says of a file that it cannot send. */
const missingFile: GraphFault = { code: 131053, message: 'The file could not be read', details: null };
