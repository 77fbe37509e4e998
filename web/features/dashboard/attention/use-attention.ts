import { useQueries, useQuery } from '@tanstack/react-query';
import type { Project } from '#contracts/projects.ts';
import { phoneNumbersQuery } from '#web/shared/queries.ts';
import { alertsQuery } from './alerts-query.ts';
import { attentionItems, type AttentionItem } from './attention-items.ts';
import { webhookHealthQuery } from './webhook-health-query.ts';

/** Follows every project live. What cannot be found out now is not told of here: its own card says so. */
export function useAttention(projects: readonly Project[]): readonly AttentionItem[] {
  const phones = useQueries({ queries: projects.map(({ id }) => phoneNumbersQuery(id)) });
  const webhooks = useQueries({
    queries: projects.map(({ id, webhook_url }) => ({ ...webhookHealthQuery(id), enabled: webhook_url !== null })),
  });
  const alerts = useQuery(alertsQuery()).data;
  return attentionItems(
    projects.map((project, index) => ({
      project,
      phones: phones[index]?.data,
      webhook: project.webhook_url === null ? undefined : webhooks[index]?.data,
    })),
    alerts,
  );
}
