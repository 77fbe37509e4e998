import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Report } from '#contracts/reports.ts';
import { shareText } from './share-text.ts';

/** Sent → Delivered → Read → Replied, each as a share of what was sent. */
export function Funnel({ report }: { report: Report }) {
  const { sent, delivered, read, replied, failed } = report;
  const steps = [
    { label: 'Sent', count: sent, fill: 'bg-(--chart-delivered)', rest: `${count(failed)} failed` },
    {
      label: 'Delivered',
      count: delivered,
      fill: 'bg-[repeating-linear-gradient(90deg,var(--chart-delivered)_0_4px,transparent_4px_5.5px)]',
      rest: sent > 0 && delivered >= sent ? 'all of them' : `${count(sent - delivered)} not delivered yet`,
    },
    {
      label: 'Read',
      count: read,
      fill: 'bg-[repeating-linear-gradient(135deg,var(--chart-delivered)_0_2px,transparent_2px_5px)]',
      rest:
        delivered > 0 && read >= delivered
          ? 'all of those delivered'
          : `${count(delivered - read)} delivered, not read`,
    },
    {
      label: 'Replied',
      count: replied,
      fill: 'bg-[radial-gradient(circle_at_2px_2px,var(--chart-delivered)_1.3px,transparent_1.6px)] bg-size-[4px_4px]',
      rest: replied === 0 ? 'within 7 days' : <Repliers />,
    },
  ];
  return (
    <section aria-label="What became of it" className="rounded-base border bg-surface">
      <ol className="grid grid-cols-2 lg:grid-cols-4">
        {steps.map(({ label, count: reached, fill, rest }, index) => (
          <li
            key={label}
            className="grid gap-0.5 p-4 sm:p-5 lg:not-first:border-l max-lg:even:border-l max-lg:nth-[n+3]:border-t"
          >
            <span className="flex justify-between gap-2 text-13 text-muted">
              {label}
              <b className="font-medium text-ink tabular-nums">{shareText(reached, sent)}</b>
            </span>
            <strong className="text-28 font-semibold tabular-nums">{count(reached)}</strong>
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

/** To them among the entries, further down the page. */
function Repliers() {
  return (
    <>
      within 7 days ·{' '}
      <Link
        to="."
        search={{ status: 'replied' } as never}
        hash="entries"
        className="rounded-small whitespace-nowrap underline hover:text-ink"
      >
        Show who
      </Link>
    </>
  );
}

function Track({ fill, share }: { fill: string; share: number }): ReactNode {
  return (
    <span aria-hidden="true" className="my-1.5 block h-2 overflow-hidden rounded-[3px] bg-gray-wash">
      <span className={`block h-full ${fill}`} style={{ width: `${Math.min(1, share) * 100}%` }} />
    </span>
  );
}
