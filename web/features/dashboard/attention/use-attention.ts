import { useQueries, useQuery } from '@tanstack/react-query';
import type { Project } from '#contracts/projects.ts';
import { phoneNumbersQuery } from '#web/shared/queries.ts';
import { alertsQuery } from './alerts-query.ts';
import { attentionItems, type AttentionItem } from './attention-items.ts';
import { webhookHealthQuery } from './webhook-health-query.ts';

export type Attention = {
  items: readonly AttentionItem[];
  /** The first answers are on their way. */
  isPending: boolean;
};

/** A failed query is retried without waiting for it. */
const isOnItsWay = (query: { isPending: boolean; fetchStatus: string; failureCount: number }) =>
  query.isPending && query.fetchStatus === 'fetching' && query.failureCount === 0;

/** Follows every project live. A state that cannot be loaded now is left out: its own card says so. */
export function useAttention(projects: readonly Project[]): Attention {
  const phones = useQueries({ queries: projects.map(({ id }) => phoneNumbersQuery(id)) });
  const webhooks = useQueries({
    queries: projects.map(({ id, webhook_url }) => ({ ...webhookHealthQuery(id), enabled: webhook_url !== null })),
  });
  const alerts = useQuery(alertsQuery());
  const items = attentionItems(
    projects.map((project, index) => ({
      project,
      phones: phones[index]?.data,
      webhook: project.webhook_url === null ? undefined : webhooks[index]?.data,
    })),
    alerts.data,
  );
  return { items, isPending: [...phones, ...webhooks, alerts].some(isOnItsWay) };
}
