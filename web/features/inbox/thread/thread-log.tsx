import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import { Button } from '#web/shared/ui/button.tsx';
import { Spinner } from '#web/shared/ui/spinner.tsx';
import type { ThreadRow } from './thread-rows.ts';

const usualHeight = 64;
/** So close to the newest message counts as at it. */
const nearPx = 80;
/** Rows before the oldest known at which older ones are fetched. */
const ahead = 15;

export type ThreadLogHandle = { toNewest: () => void; toRow: (key: string) => void };

type ThreadLogProps = {
  label: string;
  /** Newest first. */
  rows: readonly ThreadRow[];
  hasOlder: boolean;
  isLoadingOlder: boolean;
  /** Why older ones did not come. */
  olderError: unknown;
  onOlder: () => void;
  /** Called when the newest message comes into sight, and when it leaves it. */
  onAtNewest: (isAtNewest: boolean) => void;
  renderRow: (row: ThreadRow) => ReactNode;
  ref?: Ref<ThreadLogHandle>;
};

type LogVirtualizer = Virtualizer<HTMLDivElement, Element>;

/** The browser counts a reversed column's scroll downwards from 0 at its end. */
function observeOffset({ scrollElement }: LogVirtualizer, tell: (offset: number, isScrolling: boolean) => void) {
  if (scrollElement === null) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const handle = () => {
    tell(Math.max(0, -scrollElement.scrollTop), true);
    clearTimeout(timer);
    timer = setTimeout(() => tell(Math.max(0, -scrollElement.scrollTop), false), 150);
  };
  tell(Math.max(0, -scrollElement.scrollTop), false);
  scrollElement.addEventListener('scroll', handle, { passive: true });
  return () => {
    clearTimeout(timer);
    scrollElement.removeEventListener('scroll', handle);
  };
}

/**
 * A conversation from its newest message upwards, of any length: only what is in sight is in the page. The column runs
 * from its end, so that older messages are added without anything moving.
 */
export function ThreadLog(props: ThreadLogProps) {
  const { label, rows, hasOlder, isLoadingOlder, olderError, onOlder, onAtNewest, renderRow, ref } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtNewest, setAtNewest] = useState(true);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by the compiler
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    observeElementOffset: observeOffset,
    scrollToFn: (offset, { adjustments = 0, behavior }, { scrollElement }) =>
      scrollElement?.scrollTo({ top: -(offset + adjustments), ...(behavior && { behavior }) }),
  });
  useImperativeHandle(ref, () => ({
    toNewest: () => scroller.current?.scrollTo({ top: 0 }),
    toRow(key) {
      const index = rows.findIndex((row) => row.key === key);
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' });
    },
  }));

  const items = virtualizer.getVirtualItems();
  const oldestShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasOlder && olderError === undefined && oldestShown >= rows.length - ahead) onOlder();
  }, [hasOlder, olderError, oldestShown, rows.length, onOlder]);

  const offset = virtualizer.scrollOffset ?? 0;
  const isNear = offset < nearPx;
  useEffect(() => {
    setAtNewest(isNear);
    onAtNewest(isNear);
  }, [isNear, onAtNewest]);

  // A message that arrives while somebody reads further up leaves their place unchanged.
  const newestKey = rows[0]?.key;
  const shown = useRef({ key: newestKey, count: rows.length });
  useLayoutEffect(() => {
    const added = rows.findIndex(({ key }) => key === shown.current.key);
    shown.current = { key: newestKey, count: rows.length };
    const element = scroller.current;
    if (element === null || added <= 0 || -element.scrollTop < nearPx) return;
    const height = rows
      .slice(0, added)
      .reduce((sum, _, index) => sum + (virtualizer.measurementsCache[index]?.size ?? usualHeight), 0);
    element.scrollTop -= height;
  }, [newestKey, rows, virtualizer]);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col bg-chat-wall">
      <div
        ref={scroller}
        role="log"
        aria-label={label}
        aria-busy={isLoadingOlder}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region takes the focus
        tabIndex={0}
        className="flex min-h-0 flex-1 flex-col-reverse overflow-y-auto [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div className="relative w-full shrink-0" style={{ height: virtualizer.getTotalSize() + 24 }}>
          {items.toReversed().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="absolute inset-x-0 px-4"
                  style={{ bottom: start + 12 }}
                >
                  {row.day !== undefined && (
                    <p className="flex justify-center py-3">
                      <span className="rounded-full border bg-chat-in px-3 py-0.5 text-12 font-medium text-chat-meta">
                        {row.day}
                      </span>
                    </p>
                  )}
                  <div className="py-0.75">{renderRow(row)}</div>
                </div>
              )
            );
          })}
        </div>
      </div>
      {isLoadingOlder && (
        <p role="status" className="absolute inset-x-0 top-2 flex justify-center">
          <span className="flex items-center gap-2 rounded-full border bg-surface px-3 py-1 text-12 text-muted">
            <Spinner /> Loading older messages
          </span>
        </p>
      )}
      {olderError !== undefined && (
        <p role="alert" className="absolute inset-x-0 top-2 flex justify-center">
          <span className="flex items-center gap-2 rounded-base border bg-surface px-3 py-1 text-13">
            Failed to load older messages
            <Button size="small" onClick={onOlder}>
              Try again
            </Button>
          </span>
        </p>
      )}
      {!isAtNewest && (
        <Button
          size="small"
          icon={<ArrowDown className="size-4" />}
          className="absolute right-4 bottom-3"
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
        >
          Newest
        </Button>
      )}
    </div>
  );
}
