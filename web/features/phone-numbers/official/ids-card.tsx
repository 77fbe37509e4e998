import type { CloudSetup } from '#contracts/phone-numbers.ts';
import { Card } from '#web/shared/ui/card.tsx';

/** The ids by which Meta's pages name the number and its account. */
export function IdsCard({ setup }: { setup: CloudSetup }) {
  const ids = [
    ['Phone number ID', setup.phone_number_id],
    ['Business account ID', setup.business_account_id],
  ] as const;
  return (
    <Card title="Connection" flush>
      <dl className="grid gap-2 px-4 py-4 text-13 sm:px-5">
        {ids.map(([name, id]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-muted">{name}</dt>
            <dd className="font-mono">{id}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
