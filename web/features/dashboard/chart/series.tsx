import { clsx } from 'clsx';
import type { DayCounts } from '#contracts/messages.ts';

export type SeriesName = Exclude<keyof DayCounts, 'date'>;

export const series: readonly { name: SeriesName; label: string }[] = [
  { name: 'sent', label: 'Sent' },
  { name: 'delivered', label: 'Delivered' },
  { name: 'failed', label: 'Failed' },
  { name: 'received', label: 'Received' },
];

const swatches: Record<SeriesName, string> = {
  sent: 'w-2 bg-(--chart-sent) outline-1 -outline-offset-1 outline-(--chart-delivered)',
  delivered: 'w-2 bg-(--chart-delivered)',
  // Striped, as its bars are: red and teal are one colour to some.
  failed: 'w-2 bg-[repeating-linear-gradient(45deg,var(--chart-failed)_0_2px,var(--surface)_2px_3px)]',
  received: 'w-1 mx-0.5 bg-(--chart-received)',
};

/** As the bars of a series look. */
export function Swatch({ name }: { name: SeriesName }) {
  return <span aria-hidden="true" className={clsx('block h-2 shrink-0 rounded-[2px]', swatches[name])} />;
}
