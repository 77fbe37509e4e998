import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import { PaymentsUnavailableError } from '../port.ts';
import { createAccessToken } from './access-token.ts';

export type PayPalRequest = {
  method: 'GET' | 'POST';
  /** Below the base address, with its query. */
  path: string;
  headers?: Record<string, string>;
  /** JSON text, sent as it is. */
  body?: string | Buffer;
  /** Refusals that the caller can make sense of; every other one is a fault between PayPal and us. */
  expects?: readonly number[];
};

/** A success or an expected refusal. `body` is undefined for an empty answer. */
export type PayPalAnswer = { status: number; body: unknown };

/** Asks PayPal's REST API. Throws `PaymentsUnavailableError` for all that is not an answer. */
export type PayPalClient = (request: PayPalRequest) => Promise<PayPalAnswer>;

export type PayPalClientOptions = {
  clientId: string;
  clientSecret: string;
  baseUrl: string;
  /** For one call in all: sign-in, repeat and body included. */
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
};

type RawAnswer = { status: number; text: string };

/** PayPal answered, but not what it should have; carries nothing of what was asked or answered but its name. */
class PayPalRefusal extends Error {
  constructor(request: Pick<PayPalRequest, 'method' | 'path'>, { status, text }: RawAnswer) {
    super(`PayPal answered ${status} to ${request.method} ${request.path.split('?', 1)[0]}${problemOf(text)}`);
    this.name = 'PayPalRefusal';
  }
}

export function createPayPalClient(options: PayPalClientOptions): PayPalClient {
  const { baseUrl, clock, logger, timeoutMs } = options;
  const token = createAccessToken({
    clock,
    async request(signal) {
      const path = '/v1/oauth2/token';
      const basic = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64');
      const answer = await send(baseUrl + path, signal, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      });
      if (answer.status !== 200) throw new PayPalRefusal({ method: 'POST', path }, answer);
      return JSON.parse(answer.text) as unknown;
    },
  });

  async function attempt(request: PayPalRequest, signal: AbortSignal): Promise<RawAnswer> {
    const bearer = await token.get(signal);
    const answer = await send(baseUrl + request.path, signal, {
      method: request.method,
      headers: {
        authorization: `Bearer ${bearer}`,
        accept: 'application/json',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: request.body }),
    });
    if (answer.status === 401) token.forget(bearer);
    return answer;
  }

  return async (request) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      let answer = await attempt(request, signal);
      // A token can be revoked before its time.
      if (answer.status === 401) answer = await attempt(request, signal);
      const isAnswer = (answer.status >= 200 && answer.status < 300) || request.expects?.includes(answer.status);
      if (!isAnswer) throw new PayPalRefusal(request, answer);
      return { status: answer.status, body: answer.text === '' ? undefined : (JSON.parse(answer.text) as unknown) };
    } catch (error) {
      logger.warn({ err: error }, 'PayPal did not answer as it should');
      throw new PaymentsUnavailableError({ cause: error });
    }
  };
}

async function send(
  url: string,
  signal: AbortSignal,
  init: { method: string; headers: Record<string, string>; body?: string | Buffer },
): Promise<RawAnswer> {
  const { body, ...rest } = init;
  const response = await fetch(url, {
    ...rest,
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    signal,
    redirect: 'error',
  });
  return { status: response.status, text: await response.text() };
}

/** PayPal's own words for what is wrong, for the log: a name, an issue and an id that its support asks for. */
function problemOf(text: string): string {
  try {
    const { name, error, debug_id, details } = JSON.parse(text) as Record<string, unknown>;
    const issue = Array.isArray(details) ? (details[0] as { issue?: unknown } | undefined)?.issue : undefined;
    const words = [name ?? error, issue, debug_id].filter((word) => typeof word === 'string');
    return words.length === 0 ? '' : `: ${words.join(', ')}`;
  } catch {
    return '';
  }
}
