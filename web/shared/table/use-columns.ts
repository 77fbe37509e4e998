import { useState } from 'react';
import { logFailure } from '../log-failure.ts';
import type { Column } from './column.ts';

export type ChosenColumns<Row = unknown> = {
  columns: readonly Column<Row>[];
  chooser: {
    choices: readonly { id: string; header: string; isShown: boolean }[];
    isChanged: boolean;
    /** As the address has them; undefined for the usual ones. */
    cols: string | undefined;
    /** The usual ones, spelled as `cols` are. */
    usual: string;
    toggle: (id: string) => void;
    reset: () => void;
  };
};

const keyPrefix = 'dovepost.columns.';

/**
 * The columns that are shown of a table, as they were chosen in this browser; those in the address (`cols`) come before.
 * A column without a `choice` is always there.
 */
export function useColumns<Row>(
  list: string,
  all: readonly Column<Row>[],
  address?: { cols: string | undefined; onCols: (cols: string | undefined) => void },
): ChosenColumns<Row> {
  const [kept, setKept] = useState(() => readKept(list));
  const choosable = all.filter(({ choice }) => choice !== undefined);
  const usual = choosable.filter(({ choice }) => choice === 'shown').map(({ id }) => id);
  const shown = new Set((address?.cols ?? kept)?.split('.') ?? usual);

  function choose(ids: readonly string[] | undefined): void {
    const cols = ids && spell(ids);
    setKept(cols);
    keep(list, cols);
    if (address?.cols !== undefined) address.onCols(cols);
  }

  const isChanged = choosable.some(({ id, choice }) => shown.has(id) !== (choice === 'shown'));
  return {
    columns: all.filter(({ id, choice }) => choice === undefined || shown.has(id)),
    chooser: {
      choices: choosable.map(({ id, header }) => ({ id, header, isShown: shown.has(id) })),
      isChanged,
      cols: isChanged ? spell(choosable.map(({ id }) => id).filter((id) => shown.has(id))) : undefined,
      usual: spell(usual),
      toggle: (id) => {
        const next = choosable.map((column) => column.id).filter((each) => shown.has(each) !== (each === id));
        choose(next);
      },
      reset: () => choose(undefined),
    },
  };
}

/** Something stands there even when nothing is chosen. */
const spell = (ids: readonly string[]) => ids.join('.') || '-';

function readKept(list: string): string | undefined {
  try {
    return localStorage.getItem(keyPrefix + list) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(list: string, cols: string | undefined): void {
  try {
    if (cols === undefined) localStorage.removeItem(keyPrefix + list);
    else localStorage.setItem(keyPrefix + list, cols);
  } catch (error) {
    logFailure('The columns could not be kept.', error);
  }
}
