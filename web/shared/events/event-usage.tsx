import type { ApiResponse } from '../api.ts';
import { formatBytes } from '../message/format-bytes.ts';
import { UsageBar } from '../ui/usage.tsx';

type EventUsageProps = { usage: ApiResponse<'GET /api/event-names'>['usage'] };

/** The room that events take of what the account may use, and how long they are kept. */
export function EventUsage({ usage }: EventUsageProps) {
  const { names, most_names: mostNames, bytes, most_bytes: mostBytes, kept_days: days } = usage;
  return (
    <dl className="grid gap-5 sm:grid-cols-3">
      <Figure
        term="Names"
        value={`${names.toLocaleString('en')} of ${mostNames.toLocaleString('en')}`}
        hint="Events with a further name are refused."
        bar={{ count: names, maximum: mostNames }}
      />
      <Figure
        term="Room"
        value={`${formatBytes(bytes)} of ${formatBytes(mostBytes)}`}
        hint="Beyond it the oldest events go; their counts stay."
        bar={{ count: bytes, maximum: mostBytes }}
      />
      <Figure
        term="Kept"
        value={`${days.toLocaleString('en')} days`}
        hint="Then a month goes as a whole; its counts stay."
      />
    </dl>
  );
}

type FigureProps = { term: string; value: string; hint: string; bar?: { count: number; maximum: number } };

function Figure({ term, value, hint, bar }: FigureProps) {
  return (
    <div className="grid content-start gap-1.5">
      <dt className="text-13 text-muted">{term}</dt>
      <dd className="grid gap-1.5">
        <span className="text-16 font-semibold tabular-nums">{value}</span>
        {bar && (
          <span aria-hidden="true">
            <UsageBar {...bar} />
          </span>
        )}
        <span className="text-12 text-muted">{hint}</span>
      </dd>
    </div>
  );
}
