import type { EndpointVerdict } from './save-endpoint-verdicts.ts';
import type { SettledWebhook } from './attempt-result.ts';

type Verdict = EndpointVerdict['verdict'];

/** Undefined: the attempt says nothing about the endpoint of today. */
function verdictOf({ record, result }: SettledWebhook): Verdict | undefined {
  const isCounted = result.attempts > record.attempts;
  if (!isCounted || record.endpoint_url === null) return undefined;
  if (result.status === 'success') return 'works';
  return result.statusCode === 410 ? 'gone' : 'fails';
}

const weight: Readonly<Record<Verdict, number>> = { fails: 0, gone: 1, works: 2 };

/** Gives at most one verdict for each endpoint; a success outweighs failures beside it. */
export function judgeEndpoints(settled: readonly SettledWebhook[]): EndpointVerdict[] {
  const judged = new Map<number, EndpointVerdict>();
  for (const item of settled) {
    const verdict = verdictOf(item);
    if (verdict === undefined) continue;
    const { account_id: accountId, project_id: projectId, queue_id: queueId, url } = item.record;
    const before = judged.get(queueId);
    if (before && weight[before.verdict] >= weight[verdict]) continue;
    judged.set(queueId, { accountId, projectId, queueId, url, verdict });
  }
  return [...judged.values()];
}
