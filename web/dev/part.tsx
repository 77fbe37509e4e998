import type { ReactNode } from 'react';
import { Card } from '#web/shared/ui/card.tsx';

/** Shows a component in its states, under their names. */
export function Part({ title, states }: { title: string; states: Readonly<Record<string, ReactNode>> }) {
  return (
    <Card title={title}>
      <dl className="grid gap-5">
        {Object.entries(states).map(([name, shown]) => (
          <div key={name} className="grid min-w-0 gap-1.5">
            <dt className="text-12 text-faint">{name}</dt>
            <dd className="flex min-w-0 flex-wrap items-center gap-2 *:min-w-0">{shown}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
