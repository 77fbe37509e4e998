import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CloudApiStandIn } from '#tests/cloud-api/stand-in.ts';
import type { SignedPost } from '#tests/cloud-api/webhooks.ts';
import { median, percentile } from './measure.ts';
import type { Posted } from './webhook-poster.ts';

/**
 * Meta in a process of its own, whose work counts for nobody. Asked over the channel of its parent, and started with how
 * many messages a second its number takes.
 */
export type CloudQuestion = { callback: string; verifyToken: string } | 'report';
export type CloudStart = { url: string; credentials: CloudApiStandIn['credentials']; number: string };
export type CloudReport = {
  sent: number;
  /** Of the first and the last message, on the clock of the machine. */
  firstMs: number;
  lastMs: number;
  webhooks: number;
  webhookP99Ms: number;
  webhookMedianMs: number;
};

const meta = await CloudApiStandIn.listen();
Object.assign(meta.number, { perSecond: Number(process.argv[2]), limit: 'TIER_UNLIMITED' });
const template = { name: 'bench', language: 'en', category: 'UTILITY', parameter_format: 'NAMED' } as const;
meta.account.templates.set('1', {
  ...template,
  id: '1',
  status: 'APPROVED',
  rejected_reason: 'NONE',
  quality_score: { score: 'GREEN', date: 0 },
  components: [{ type: 'BODY', text: 'Hello {{first_name}}, all bulbs.' }],
});
meta.account.isSubscribed = true;
const times: number[] = [];
const push = meta.sent.push.bind(meta.sent);
meta.sent.push = (...messages) => {
  times.push(Date.now());
  return push(...messages);
};
const latenciesMs: number[] = [];
const poster = new Worker(new URL('./webhook-poster.ts', import.meta.url));
meta.webhooks.send = async (post: SignedPost) => {
  const answered = once(poster, 'message');
  poster.postMessage(post, []);
  const [{ status, ms }] = (await answered) as [Posted];
  latenciesMs.push(ms);
  return status;
};

process.on('message', (question: CloudQuestion) => {
  void answer(question).then((said) => process.send?.(said));
});
process.on('disconnect', () => process.exit());
process.send?.({ url: meta.url, credentials: meta.credentials, number: meta.number.display } satisfies CloudStart);

async function answer(question: CloudQuestion): Promise<boolean | CloudReport> {
  if (question !== 'report') return meta.webhooks.configure(question.callback, question.verifyToken);
  return {
    sent: times.length,
    firstMs: times[0] ?? 0,
    lastMs: times.at(-1) ?? 0,
    webhooks: latenciesMs.length,
    webhookP99Ms: percentile(latenciesMs, 0.99),
    webhookMedianMs: median(latenciesMs),
  };
}
