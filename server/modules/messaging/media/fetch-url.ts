import type { Agent } from 'undici';
import type { Readable } from 'node:stream';
import type { Context } from '#server/context.ts';
import { forbiddenUrlReason } from '#server/platform/http/address-policy.ts';
import { failureText } from '#server/platform/http/failure-text.ts';
import { checkedLookup } from '#server/platform/http/resolve-host.ts';

const maxRedirects = 3;
/** For looking the name up, connecting and the whole file together. */
const longestMs = 60_000;
const answerMs = 10_000;

/** The file could not be had from its address; the message is a sentence for the caller. */
export class UnreachableFileError extends Error {
  override readonly name = 'UnreachableFileError';
}

type Fetched = { bytes: Readable; fileName: string | null; contentType: string };

/**
 * Fetches a file from an address that a customer named, once: only where webhooks may go too, checked at each redirect
 * and on the addresses that are connected to. Throws `UnreachableFileError`, from `use` too where the file breaks off.
 */
export async function fetchUrl<T>(
  { egress }: Pick<Context, 'egress'>,
  url: string,
  use: (file: Fetched) => Promise<T>,
  { deadlineMs = longestMs } = {},
): Promise<T> {
  const { isPrivateAllowed, resolveHost } = egress;
  const { Agent } = await import('undici');
  const dispatcher = new Agent({
    connect: { lookup: checkedLookup(resolveHost, isPrivateAllowed), timeout: answerMs },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  });
  const signal = AbortSignal.timeout(deadlineMs);
  let body: Readable | undefined;
  try {
    const answer = await follow(url, { dispatcher, signal, isPrivateAllowed });
    body = answer.bytes;
    return await use({ ...answer, bytes: answer.bytes.on('error', () => undefined) });
  } catch (error) {
    if (body?.errored) throw new UnreachableFileError('The file broke off before its end');
    throw error;
  } finally {
    body?.destroy();
    await dispatcher.destroy();
  }
}

type Way = { dispatcher: Agent; signal: AbortSignal; isPrivateAllowed: boolean };

async function follow(start: string, { dispatcher, signal, isPrivateAllowed }: Way): Promise<Fetched> {
  const { request } = await import('undici');
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const reason = forbiddenUrlReason(url, isPrivateAllowed);
    if (reason !== undefined) throw new UnreachableFileError(reason);
    const { statusCode, headers, body } = await request(url, { dispatcher, signal }).catch((error: unknown) => {
      throw new UnreachableFileError(signal.aborted ? 'No answer within 60 s' : failureText(error));
    });
    if (statusCode === 200)
      return { bytes: body, fileName: nameOf(url), contentType: [headers['content-type']].flat()[0] ?? '' };
    body.on('error', () => undefined).destroy();
    const location = [headers.location].flat()[0];
    if (statusCode < 300 || statusCode > 399 || location === undefined) {
      throw new UnreachableFileError(`The address answered with HTTP ${statusCode}`);
    }
    url = URL.parse(location, url)?.href ?? '';
  }
  throw new UnreachableFileError('The address leads on and on');
}

function nameOf(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || null;
  } catch {
    return null;
  }
}
