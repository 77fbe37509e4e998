import { useQuery } from '@tanstack/react-query';
import { NumberTopics } from '#web/shared/topics/number-topics.tsx';
import { topicsQuery } from '#web/shared/topics/topics-query.ts';
import { Card } from '#web/shared/ui/card.tsx';

/** The topics that this person gets; nothing where the account has none. */
export function TopicsCard({ phone }: { phone: string }) {
  const { data: topics = [] } = useQuery(topicsQuery());
  if (topics.length === 0) return null;
  return (
    <Card title="Topics">
      <NumberTopics phone={phone} />
    </Card>
  );
}
