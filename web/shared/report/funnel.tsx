import { clsx } from 'clsx';
import { useState, type ReactNode } from 'react';
import type { EntryFilter } from '#contracts/campaigns.ts';
import type { Report } from '#contracts/reports.ts';
import { FigureLink, useIsShown } from './figure-link.tsx';
import type { Noun } from './figure-words.ts';
import { ReportTotals } from './report-totals.tsx';
import { shareText } from './share-text.ts';

type Base = 'sent' | 'delivered';
type Step = { label: string; status: EntryFilter; reached: number; fill: string; rest: ReactNode };

/** All it is for, then Sent → Delivered → Read → Replied with shares of what was sent; each leads to its people. */
export function Funnel({ report, noun = 'people' }: { report: Report; noun?: Noun }) {
  const [base, setBase] = useState<Base>('sent');
  const isShown = useIsShown();
  const steps = stepsOf(report);
  return (
    <section aria-label="What became of it" className="rounded-base border bg-surface">
      <ReportTotals report={report} noun={noun} />
      <div className="flex items-center justify-end gap-2 px-4 py-2 text-12 text-muted sm:px-5">
        <span id="shares-are-of">Shares are of</span>
        <span role="group" aria-labelledby="shares-are-of" className="flex rounded-base border p-0.5">
          {(['sent', 'delivered'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === base}
              onClick={() => setBase(each)}
              className="rounded-small px-2 py-0.5 font-medium hover:text-ink aria-pressed:bg-pressed aria-pressed:text-ink"
            >
              {each}
            </button>
          ))}
        </span>
      </div>
      <ol className={clsx('grid grid-cols-2', steps.length > 4 ? 'md:grid-cols-5' : 'md:grid-cols-4')}>
        {steps.map(({ label, status, reached, fill, rest }, index) => {
          const whole = report[base];
          return (
            <li
              key={label}
              className={clsx(
                'relative grid gap-0.5 p-4 hover:bg-hover sm:p-5 md:not-first:border-l max-md:even:border-l',
                'max-md:nth-[n+3]:border-t max-md:last:odd:col-span-2',
                isShown({ status }) && 'bg-pressed',
              )}
            >
              <span className="flex justify-between gap-2 text-13 text-muted">
                {label}
                <b className="font-medium text-ink tabular-nums">
                  {base === 'delivered' && index === 0 ? '' : shareText(reached, whole)}
                </b>
              </span>
              <strong className="text-28 font-semibold tabular-nums">
                <FigureLink figure={{ status }} className="after:absolute after:inset-0">
                  {count(reached)}
                  <span className="sr-only"> {label.toLowerCase()}, show them</span>
                </FigureLink>
              </strong>
              <Track fill={fill} share={whole === 0 ? 0 : reached / whole} />
              <small className="text-12 text-muted tabular-nums">{rest}</small>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function stepsOf({ sent, delivered, read, clicked, replied, failed, links, opted_out: stopped }: Report): Step[] {
  return [
    {
      label: 'Sent',
      status: 'sent',
      reached: sent,
      fill: 'bg-(--chart-delivered)',
      rest: failed === 0 ? 'none failed' : `${count(failed)} failed`,
    },
    {
      label: 'Delivered',
      status: 'delivered',
      reached: delivered,
      fill: 'bg-[repeating-linear-gradient(90deg,var(--chart-delivered)_0_4px,transparent_4px_5.5px)]',
      rest: sent > 0 && delivered >= sent ? 'all of them' : `${count(sent - delivered)} not delivered yet`,
    },
    {
      label: 'Read',
      status: 'read',
      reached: read,
      fill: 'bg-[repeating-linear-gradient(135deg,var(--chart-delivered)_0_2px,transparent_2px_5px)]',
      rest:
        delivered > 0 && read >= delivered
          ? 'all of those delivered'
          : `${count(delivered - read)} delivered, not read`,
    },
    ...(links.length === 0
      ? []
      : [
          {
            label: 'Clicked',
            status: 'clicked' as const,
            reached: clicked,
            fill: 'bg-[repeating-linear-gradient(45deg,var(--chart-delivered)_0_1px,transparent_1px_4px)]',
            rest: links.length === 1 ? 'its link' : `one of ${links.length} links`,
          },
        ]),
    {
      label: 'Replied',
      status: 'replied',
      reached: replied,
      fill: 'bg-[radial-gradient(circle_at_2px_2px,var(--chart-delivered)_1.3px,transparent_1.6px)] bg-size-[4px_4px]',
      rest: stopped === 0 ? 'within 7 days' : `${count(stopped)} more opted out`,
    },
  ];
}

const count = (value: number) => Math.max(0, value).toLocaleString('en');

function Track({ fill, share }: { fill: string; share: number }): ReactNode {
  return (
    <span aria-hidden="true" className="my-1.5 block h-2 overflow-hidden rounded-[3px] bg-gray-wash">
      <span className={`block h-full ${fill}`} style={{ width: `${Math.min(1, share) * 100}%` }} />
    </span>
  );
}
