import { createContext, useContext } from 'react';
import type { Counted } from '../counted.ts';
import type { Draft, LeafDraft, LineDraft } from './draft.ts';

/** How many people a part of the expression matches, and of how many it cannot read the value. */
export type LineCount = Counted & { unreadable: number };

type Builder = {
  /** Puts another draft in the place of that with the id; without one it goes. */
  change: (id: number, by: Draft | undefined) => void;
  /** Of the part at a path; undefined while it is not counted. */
  countAt: (path: string) => LineCount | undefined;
  /** The error at a path. */
  errorAt: (path: string) => string | undefined;
};

export const BuilderContext = createContext<Builder | undefined>(undefined);

export function useBuilder(): Builder {
  const builder = useContext(BuilderContext);
  if (!builder) throw new Error('A part of the builder stands outside of it');
  return builder;
}

/** Changes parts of the leaf of a line, and whether the line is negated. */
export function useLineChange<Leaf extends LeafDraft>({ line, leaf }: { line: LineDraft; leaf: Leaf }) {
  const { change } = useBuilder();
  return (changes: Partial<Leaf>, isNot = line.isNot) =>
    change(line.id, { ...line, isNot, leaf: { ...leaf, ...changes } });
}
