import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { WebhookPayload } from '#contracts/webhooks.ts';

export type ReceivedWebhook = { path: string; method: string; headers: IncomingHttpHeaders; body: string };

/** How the receiver answers; all may be changed at any time. */
export type ReceiverBehaviour = {
  status: number;
  headers: Record<string, string>;
  delayMs: number;
  /** `never`: no answer; `drip`: a body that never ends; a number: a body of that many bytes. */
  body: 'never' | 'drip' | number;
};

/** A customer's server: keeps what it gets and answers as it is told. */
export type WebhookReceiver = {
  /** Where deliveries go; any path below it is the receiver's too. */
  url: string;
  received: ReceivedWebhook[];
  behave(change: Partial<ReceiverBehaviour>): void;
  /** Resolves once this many have come, with all so far. */
  waitFor(count: number): Promise<ReceivedWebhook[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startWebhookReceiver(start: Partial<ReceiverBehaviour> = {}): Promise<WebhookReceiver> {
  const behaviour: ReceiverBehaviour = { status: 200, headers: {}, delayMs: 0, body: 0, ...start };
  const received: ReceivedWebhook[] = [];
  const waiting = new Set<{ count: number; resolve(all: ReceivedWebhook[]): void }>();

  function keep(webhook: ReceivedWebhook): void {
    received.push(webhook);
    for (const entry of waiting) {
      if (received.length < entry.count) continue;
      waiting.delete(entry);
      entry.resolve(received);
    }
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    keep({ path: request.url ?? '', method: request.method ?? '', headers: request.headers, body });
    answer(response, behaviour);
  }

  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (change) => void Object.assign(behaviour, change),
    waitFor: (count) =>
      received.length >= count ? Promise.resolve(received) : new Promise((resolve) => waiting.add({ count, resolve })),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, { status, headers, delayMs, body }: ReceiverBehaviour): void {
  if (body === 'never') return;
  const write = () => {
    response.writeHead(status, headers);
    if (typeof body === 'number') response.end('x'.repeat(body));
    else drip(response);
  };
  if (delayMs === 0) write();
  else setTimeout(write, delayMs);
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

/** The payload, once the signature has been verified as any receiver's library does it. */
export function verifyWebhook(secret: string, { headers, body }: ReceivedWebhook): WebhookPayload {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as WebhookPayload;
}
