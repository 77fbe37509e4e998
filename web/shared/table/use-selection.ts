import { useRef, useState } from 'react';

/** The selection in a list: single rows, over its pages, or everything that its filters find. */
export type Selection<Row> = {
  count: number;
  /** Everything that the filters find, whatever is on the page. */
  isAll: boolean;
  ids: readonly number[];
  has: (row: Row) => boolean;
  /** `range`: with all between it and the one before, as Shift does. */
  toggle: (row: Row, options?: { range?: boolean }) => void;
  /** Which of the page's rows are chosen; `empty` where there are none, or not yet. */
  page: 'empty' | 'none' | 'some' | 'all';
  togglePage: () => void;
  selectAll: () => void;
  clear: () => void;
};

type SelectionOptions<Row> = {
  /** The rows on the page; undefined while they load. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => number;
  /** How many the filters find. */
  total: number | undefined;
  /** Another search or filter: what was chosen of the one before is chosen no more. */
  resetKey: string;
};

type State = { resetKey: string; ids: ReadonlySet<number>; isAll: boolean };

const nothing = (resetKey: string): State => ({ resetKey, ids: new Set(), isAll: false });

export function useSelection<Row>({ rows = [], rowId, total, resetKey }: SelectionOptions<Row>): Selection<Row> {
  const [stored, setState] = useState<State>(() => nothing(resetKey));
  const anchor = useRef<number>(undefined);
  const state = stored.resetKey === resetKey ? stored : nothing(resetKey);
  const pageIds = rows.map(rowId);
  const chosenOnPage = pageIds.filter((id) => state.isAll || state.ids.has(id)).length;
  const chosen = chosenOnPage === 0 ? 'none' : chosenOnPage === pageIds.length ? 'all' : 'some';
  const page = pageIds.length === 0 ? 'empty' : chosen;

  /** From everything to single rows: those of the page that are left. */
  const single = () => new Set(state.isAll ? pageIds : state.ids);

  function change(ids: readonly number[], isChosen: boolean): void {
    const next = single();
    for (const id of ids) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    setState({ resetKey, ids: next, isAll: false });
  }

  function toggle(row: Row, { range = false } = {}): void {
    const id = rowId(row);
    const isChosen = !(state.isAll || state.ids.has(id));
    const [from, to] = [pageIds.indexOf(anchor.current ?? id), pageIds.indexOf(id)];
    anchor.current = id;
    const isRange = range && from !== -1;
    change(isRange ? pageIds.slice(Math.min(from, to), Math.max(from, to) + 1) : [id], isChosen);
  }

  return {
    count: state.isAll ? (total ?? state.ids.size) : state.ids.size,
    isAll: state.isAll,
    ids: [...state.ids],
    has: (row) => state.isAll || state.ids.has(rowId(row)),
    toggle,
    page,
    togglePage: () => change(pageIds, page !== 'all'),
    selectAll: () => setState({ resetKey, ids: new Set(), isAll: true }),
    clear: () => setState(nothing(resetKey)),
  };
}
