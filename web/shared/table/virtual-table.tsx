import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { textScale } from '../text-size.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { useMediaQuery } from '../use-media-query.ts';
import { nextRow } from './next-row.ts';
import { VirtualCards } from './virtual-cards.tsx';
import type { VirtualRowsProps } from './virtual-rows.ts';
import { VirtualTableRows } from './virtual-table-rows.tsx';

export type VirtualTableHandle = { scrollToRow: (index: number) => void };

type VirtualTableProps<Row> = Omit<VirtualRowsProps<Row>, 'virtualizer'> & {
  /** At the right of the count beneath. */
  actions?: ReactNode;
  ref?: Ref<VirtualTableHandle>;
};

const rowHeight = 44;
const headerHeight = 36;
const cardHeight = 105;

/** As `DataTable`, for one row up to tens of thousands at once: only those in sight are in the page. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, activeIndex, onActive, actions, ref } = props;
  const isWide = useMediaQuery('(min-width: 720px)');
  const scroller = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(false);
  const [scale] = useState(textScale);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by the compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isWide ? rowHeight : cardHeight) * scale,
    scrollPaddingStart: isWide ? headerHeight * scale : 0,
    overscan: 8,
    // The active row stays, so that the keyboard does not lose its place.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      const isKept = activeIndex >= 0 && activeIndex < range.count;
      return isKept ? [...new Set([...indexes, activeIndex])].toSorted((a, b) => a - b) : indexes;
    },
  });
  useEffect(() => virtualizer.measure(), [virtualizer, isWide]);
  useImperativeHandle(ref, () => ({ scrollToRow: (index) => virtualizer.scrollToIndex(index, { align: 'center' }) }));

  useEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    const control = scroller.current?.querySelector<HTMLElement>(`[data-index="${activeIndex}"] :is(input, button, a)`);
    control?.focus({ preventScroll: true });
  }, [activeIndex]);

  function handleKey(event: KeyboardEvent): void {
    const pageRows = Math.max(1, Math.floor((virtualizer.scrollRect?.height ?? 0) / (rowHeight * scale)) - 1);
    const next = nextRow(event.key, { at: activeIndex, count: rows.length, pageRows });
    if (next === undefined || event.target === scroller.current) return;
    event.preventDefault();
    takesFocus.current = true;
    onActive(next);
    virtualizer.scrollToIndex(next);
  }

  const Rows = isWide ? VirtualTableRows : VirtualCards;
  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: 0 };
  const lastIndex = Math.min(endIndex, rows.length - 1);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the keys of the rows' controls */}
      <div onKeyDown={handleKey}>
        <ScrollRegion ref={scroller} label={`${label}, scrolling`} className="max-h-143 overflow-x-auto">
          <Rows {...props} virtualizer={virtualizer} />
        </ScrollRegion>
      </div>
      <div className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t px-4 py-2 sm:px-5">
        <p className="text-13 text-muted tabular-nums">
          Rows {(startIndex + 1).toLocaleString('en')}–{(lastIndex + 1).toLocaleString('en')} of{' '}
          {rows.length.toLocaleString('en')}
        </p>
        {actions}
      </div>
    </>
  );
}
