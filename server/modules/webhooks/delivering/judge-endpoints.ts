import type { WebhookVerdict } from '#server/modules/projects/index.ts';
import type { SettledWebhook } from './settle-webhooks.ts';

type Verdict = WebhookVerdict['verdict'];

/** Undefined: the attempt says nothing about the endpoint of today. */
function verdictOf({ record, result }: SettledWebhook): Verdict | undefined {
  const isCounted = result.attempts > record.attempts;
  if (!isCounted || record.project_url === null) return undefined;
  if (result.status === 'success') return 'works';
  return result.statusCode === 410 ? 'gone' : 'fails';
}

const weight: Readonly<Record<Verdict, number>> = { fails: 0, gone: 1, works: 2 };

/** One a project; one success outweighs what failed beside it. */
export function judgeEndpoints(settled: readonly SettledWebhook[]): WebhookVerdict[] {
  const judged = new Map<number, WebhookVerdict>();
  for (const item of settled) {
    const verdict = verdictOf(item);
    if (verdict === undefined) continue;
    const { account_id: accountId, project_id: projectId, url } = item.record;
    const before = judged.get(projectId);
    if (before && weight[before.verdict] >= weight[verdict]) continue;
    judged.set(projectId, { accountId, projectId, url, verdict });
  }
  return [...judged.values()];
}
