import { parentPort as port } from 'node:worker_threads';
import { postSigned } from '#tests/cloud-api/webhooks.ts';
import type { SignedPost } from '#tests/cloud-api/webhooks.ts';

/** The status of an answer, 0 for none. */
export type Posted = { status: number; ms: number };

// On a thread of its own, which does nothing else: what is measured is the answer alone.
port?.on('message', (post: SignedPost) => void send(post).then((posted) => port?.postMessage(posted, [])));

async function send(post: SignedPost): Promise<Posted> {
  const before = performance.now();
  const status = await postSigned(post);
  return { status, ms: performance.now() - before };
}
