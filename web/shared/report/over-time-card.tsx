import { useState } from 'react';
import type { Report } from '#contracts/reports.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { cumulate } from './cumulate.ts';
import { DayBars } from './day-bars.tsx';
import { GrowthLines } from './growth-lines.tsx';
import { perDay } from './per-day.ts';

const ways = [
  { id: 'growth', label: 'Added up' },
  { id: 'days', label: 'Per day' },
] as const;

/** How the four grew from the start on, or what happened on each day. */
export function OverTimeCard({ report }: { report: Report }) {
  const [way, setWay] = useState<(typeof ways)[number]['id']>('growth');
  const points = cumulate(report.over_time);
  if (points.length === 0) return null;
  return (
    <Card
      title="Over time"
      description={way === 'growth' ? 'Added up since the start' : 'What happened on each day'}
      actions={
        <div role="group" aria-label="How it is shown" className="flex gap-1">
          {ways.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === way}
              onClick={() => setWay(id)}
              className="h-(--control-small) rounded-base px-2.5 text-13 font-medium text-muted hover:bg-hover hover:text-ink aria-pressed:bg-pressed aria-pressed:text-ink"
            >
              {label}
            </button>
          ))}
        </div>
      }
    >
      {way === 'growth' ? <GrowthLines points={points} /> : <DayBars days={perDay(report.over_time)} />}
    </Card>
  );
}
