import { clsx } from 'clsx';
import { RecordCard } from './card-rows.tsx';
import type { VirtualRowsProps } from './virtual-rows.ts';

/** A virtual table on a phone: cards, each as high as it needs to be. */
export function VirtualCards<Row>(props: VirtualRowsProps<Row>) {
  const { label, columns, rows, rowKey, activeIndex, onActive, virtualizer } = props;
  return (
    <ul aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        return (
          row !== undefined && (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the keyboard has the control inside
            <li
              key={rowKey(row)}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              aria-current={index === activeIndex || undefined}
              onFocus={() => onActive(index)}
              onClick={() => onActive(index)}
              style={{ transform: `translateY(${start}px)` }}
              className={clsx(
                'absolute inset-x-0 top-0 border-b px-4 py-3',
                index === activeIndex && 'bg-accent-subtle',
              )}
            >
              <RecordCard columns={columns} row={row} />
            </li>
          )
        );
      })}
    </ul>
  );
}
