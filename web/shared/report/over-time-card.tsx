import { useState } from 'react';
import type { Report } from '#contracts/reports.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { cumulate } from './cumulate.ts';
import { DayBars } from './day-bars.tsx';
import { GrowthLines } from './growth-lines.tsx';
import { MinuteBars } from './minute-bars.tsx';
import { perDay } from './per-day.ts';

const ways = [
  { id: 'minutes', label: 'Per minute', description: 'While it was sent' },
  { id: 'growth', label: 'Total', description: 'Total since the start' },
  { id: 'days', label: 'Per day', description: 'What happened on each day' },
] as const;

type Way = (typeof ways)[number]['id'];

/** 'Per 5 min' where a span is longer than a minute. */
const labelOf = (way: (typeof ways)[number], stepMinutes: number) =>
  way.id === 'minutes' && stepMinutes > 1 ? `Per ${stepMinutes} min` : way.label;

/** The events minute by minute, the growth of the four counts from the start on, or the counts of each day. */
export function OverTimeCard({ report }: { report: Report }) {
  const [chosen, setChosen] = useState<Way>();
  const points = cumulate(report);
  if (points.length === 0) return null;
  const { by_minute: byMinute, holds } = report;
  const shown = ways.filter(({ id }) => id !== 'minutes' || byMinute !== null);
  const way = shown.find(({ id }) => id === chosen) ?? shown[0];
  return (
    <Card
      title="Over time"
      description={way?.description}
      actions={
        <div role="group" aria-label="How it is shown" className="flex gap-1">
          {shown.map((each) => (
            <button
              key={each.id}
              type="button"
              aria-pressed={each.id === way?.id}
              onClick={() => setChosen(each.id)}
              className="h-(--control-small) rounded-base px-2.5 text-13 font-medium text-muted hover:bg-hover hover:text-ink aria-pressed:bg-pressed aria-pressed:text-ink"
            >
              {labelOf(each, byMinute?.step_minutes ?? 1)}
            </button>
          ))}
        </div>
      }
    >
      {way?.id === 'minutes' && byMinute !== null && <MinuteBars byMinute={byMinute} holds={holds} />}
      {way?.id === 'growth' && <GrowthLines points={points} holds={holds} />}
      {way?.id === 'days' && <DayBars days={perDay(report.over_time)} />}
    </Card>
  );
}
