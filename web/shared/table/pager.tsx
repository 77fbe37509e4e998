import { Button } from '../ui/button.tsx';
import type { Paging } from './column.ts';

type PagerProps = Paging & {
  label: string;
  /** Undefined while loading. */
  total: number | undefined;
};

/** Pages count from 1, and there is always one. */
export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/** `1–10 of 21,466`; `0 of 0` when there is nothing. */
function rangeText(page: number, pageSize: number, total: number): string {
  if (total === 0) return '0 of 0';
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return `${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}

export function Pager({ label, page, pageSize, total, onPage }: PagerProps) {
  const pages = total === undefined ? page : pageCount(total, pageSize);
  return (
    <nav
      aria-label={`${label}, pages`}
      className="flex items-center justify-between gap-3 border-t px-4 py-2.5 text-13 text-muted tabular-nums sm:px-5"
    >
      <span className="max-sm:sr-only">
        {total === undefined ? '' : rangeText(Math.min(page, pages), pageSize, total)}
      </span>
      <div className="flex items-center gap-2 max-sm:flex-1 max-sm:justify-between">
        <Button size="small" disabled={page <= 1} onClick={() => onPage(Math.min(page, pages + 1) - 1)}>
          Prev
        </Button>
        <span aria-live="polite">
          Page {page.toLocaleString('en')}
          {total !== undefined && ` of ${pages.toLocaleString('en')}`}
        </span>
        <Button size="small" disabled={total === undefined || page >= pages} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}
