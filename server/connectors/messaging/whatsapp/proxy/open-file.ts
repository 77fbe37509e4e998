import http from 'node:http';
import type { Agent, IncomingMessage } from 'node:http';
import https from 'node:https';

/** A server that goes silent amid a file. */
const idleMs = 30_000;

export type FileSource = { agent: Agent | undefined; signal: AbortSignal };

/**
 * Fails on a proxy's refusal, which would otherwise pass for the answer of the server behind it: that a file is gone,
 * say.
 */
export function failOnProxyRefusal(request: http.ClientRequest): void {
  request.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
    if (statusCode !== 200) request.destroy(new Error(`The proxy answered with HTTP ${statusCode}`));
  });
}

/**
 * Opens a file of WhatsApp's, or any page; rejects where there is no answer. The caller reads the stream or destroys
 * it.
 */
export function openUrl(url: URL, { agent, signal }: FileSource): Promise<IncomingMessage> {
  const headers = { origin: 'https://web.whatsapp.com' };
  return new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? https.get : http.get;
    const request = get(url, { ...(agent && { agent }), signal, headers, timeout: idleMs }, resolve);
    failOnProxyRefusal(request);
    request.on('timeout', () => request.destroy(new Error('No answer in time')));
    request.on('error', reject);
    // A request without a socket yet says nothing of its end.
    signal.addEventListener('abort', () => reject(new Error('Given up')), { once: true });
  });
}

/** The same for a file: anything but the file itself is an error. Redirects are not followed. */
export async function openFile(url: URL, source: FileSource): Promise<IncomingMessage> {
  const response = await openUrl(url, source);
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new Error(`The file was answered with ${response.statusCode ?? 0}`);
}
