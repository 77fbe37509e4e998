import { parentPort as port } from 'node:worker_threads';

/** A POST of a webhook. Made on a thread of its own, which does nothing else: what is measured is the answer alone. */
export type Post = { url: string; body: string; signature: string };
/** The status of its answer, 0 for none. */
export type Posted = { status: number; ms: number };

port?.on('message', (post: Post) => void send(post).then((posted) => port?.postMessage(posted, [])));

async function send({ url, body, signature }: Post): Promise<Posted> {
  const before = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
  return { status: response?.status ?? 0, ms: performance.now() - before };
}
