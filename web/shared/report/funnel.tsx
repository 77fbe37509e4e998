import type { ReactNode } from 'react';
import type { Report } from '#contracts/reports.ts';
import { FigureLink } from './figure-link.tsx';
import { ReportTotals } from './report-totals.tsx';
import { shareText } from './share-text.ts';

/** All it is for, then Sent → Delivered → Read → Replied, each as a share of what was sent; each leads to its people. */
export function Funnel({ report, noun = 'people' }: { report: Report; noun?: string }) {
  const { sent, delivered, read, replied, failed } = report;
  const steps = [
    {
      label: 'Sent',
      status: 'sent' as const,
      count: sent,
      fill: 'bg-(--chart-delivered)',
      rest: `${count(failed)} failed`,
    },
    {
      label: 'Delivered',
      status: 'delivered' as const,
      count: delivered,
      fill: 'bg-[repeating-linear-gradient(90deg,var(--chart-delivered)_0_4px,transparent_4px_5.5px)]',
      rest: sent > 0 && delivered >= sent ? 'all of them' : `${count(sent - delivered)} not delivered yet`,
    },
    {
      label: 'Read',
      status: 'read' as const,
      count: read,
      fill: 'bg-[repeating-linear-gradient(135deg,var(--chart-delivered)_0_2px,transparent_2px_5px)]',
      rest:
        delivered > 0 && read >= delivered
          ? 'all of those delivered'
          : `${count(delivered - read)} delivered, not read`,
    },
    {
      label: 'Replied',
      status: 'replied' as const,
      count: replied,
      fill: 'bg-[radial-gradient(circle_at_2px_2px,var(--chart-delivered)_1.3px,transparent_1.6px)] bg-size-[4px_4px]',
      rest: 'within 7 days',
    },
  ];
  return (
    <section aria-label="What became of it" className="rounded-base border bg-surface">
      <ReportTotals report={report} noun={noun} />
      <ol className="grid grid-cols-2 lg:grid-cols-4">
        {steps.map(({ label, status, count: reached, fill, rest }, index) => (
          <li
            key={label}
            className="grid gap-0.5 p-4 sm:p-5 lg:not-first:border-l max-lg:even:border-l max-lg:nth-[n+3]:border-t"
          >
            <span className="flex justify-between gap-2 text-13 text-muted">
              {label}
              <b className="font-medium text-ink tabular-nums">{shareText(reached, sent)}</b>
            </span>
            <strong className="text-28 font-semibold tabular-nums">
              <FigureLink status={status}>
                {count(reached)}
                <span className="sr-only"> {label.toLowerCase()}, show them</span>
              </FigureLink>
            </strong>
            <Track fill={fill} share={sent === 0 ? 0 : reached / sent} />
            <small className="text-12 text-muted tabular-nums">
              {index === 0 && failed === 0 ? 'none failed' : rest}
            </small>
          </li>
        ))}
      </ol>
    </section>
  );
}

const count = (value: number) => Math.max(0, value).toLocaleString('en');

function Track({ fill, share }: { fill: string; share: number }): ReactNode {
  return (
    <span aria-hidden="true" className="my-1.5 block h-2 overflow-hidden rounded-[3px] bg-gray-wash">
      <span className={`block h-full ${fill}`} style={{ width: `${Math.min(1, share) * 100}%` }} />
    </span>
  );
}
