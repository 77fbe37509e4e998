import { useEffect, useEffectEvent } from 'react';
import type { Expression } from '#contracts/expressions.ts';
import type { Segment } from '#contracts/segments.ts';
import { SegmentPage } from './builder/segment-page.tsx';
import { SegmentDialog, type Grouped } from './segment-dialog.tsx';

type SegmentEditorProps = {
  segment?: Segment | undefined;
  /** Several conditions in groups, on a page; else a dialog for one. */
  isGrouped: boolean;
  /** As typed in the dialog, which gave way to the page. */
  typed?: Grouped | undefined;
  /** A name of events that the first condition of a new segment asks for. */
  event?: string | undefined;
  onClose: () => void;
  onGroup: (typed: Grouped) => void;
};

/** Makes a segment, or changes the given one. */
export function SegmentEditor({ segment, isGrouped, typed, event, onClose, onGroup }: SegmentEditorProps) {
  if (!isGrouped) return <SegmentDialog segment={segment} onClose={onClose} onGroup={onGroup} />;
  return <SegmentPage segment={segment} {...beginning(segment)} typed={typed ?? ofEvent(event)} onClose={onClose} />;
}

function beginning(segment: Segment | undefined): Grouped {
  const first: Expression = { field: '', op: 'equals', value: '' };
  return { name: segment?.name ?? '', expression: segment?.expression ?? { all: [first] } };
}

function ofEvent(event: string | undefined): Grouped | undefined {
  if (event === undefined) return undefined;
  const first: Expression = { event, times: { op: '>=', n: 1 }, window: { last: 30, unit: 'days' } };
  return { name: event, expression: { all: [first] } };
}

/** Gives up where the segment cannot be shown. */
export function useMissing(error: unknown, onMissing: (error: unknown) => void): void {
  const give = useEffectEvent(onMissing);
  useEffect(() => {
    if (error !== null) give(error);
  }, [error]);
}
