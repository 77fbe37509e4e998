import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Draft } from '#contracts/drafts.ts';
import { queryKeys } from '../queries.ts';
import type { DraftContent } from './draft-content.ts';
import { DraftKeeper, type DraftState, type DraftTarget } from './draft-keeper.ts';
import { findDraft } from './draft-queries.ts';

type Stored = Pick<Draft, 'content' | 'revision' | 'updated_at'>;

/** So long typing waits for the draft; a form that nobody can use is worse than a choice between two texts. */
const patienceMs = 3000;

const noLongerReading = (now: DraftState): DraftState => (now.at === 'reading' ? { at: 'none' } : now);

export type FormDraft = {
  state: DraftState;
  /** The fields wait for what was typed before. */
  isReading: boolean;
  /** When the text was typed that the form began with. */
  restoredFrom: string | undefined;
  opened: () => DraftContent;
  /** Saves what is not yet; true once leaving loses nothing. */
  flush: () => Promise<boolean>;
  discard: () => Promise<void>;
  /** Of a clash: the text of this tab, or the other one. */
  keepHere: (there: Stored) => Promise<void>;
  takeThere: (there: Stored) => void;
  /** Neither yet; the next change asks again, and so does `chooseNow`. */
  chooseLater: () => void;
  chooseNow: () => void;
};

/** The typed text, wherever it is held. */
export type Typed = {
  /** All fields as the form opened, before anything was typed. */
  opened: () => DraftContent;
  /** The typed fields, as they are now; none where all is as it was. */
  read: () => DraftContent;
  show: (content: DraftContent) => void;
  /** Calls back with every change; answers how to stop that. */
  watch: (onChange: () => void) => () => void;
};

/**
 * Keeps what is typed on the server, and begins with what was typed before. Undefined without a target. `typed` is that
 * of the first render.
 */
export function useDraft(target: DraftTarget | undefined, typed: Typed): FormDraft | undefined {
  const queryClient = useQueryClient();
  const [state, setState] = useState<DraftState>({ at: target === undefined ? 'none' : 'reading' });
  const [restoredFrom, setRestoredFrom] = useState<string>();
  const [{ opened: openedFields, read, show, watch }] = useState(typed);

  async function open(opened: DraftKeeper): Promise<void> {
    const stored = await findDraft(opened.target);
    if (Object.keys(read()).length > 0) {
      setState(noLongerReading);
      opened.beginOver(stored);
      return opened.touch();
    }
    opened.begin(stored);
    setState({ at: stored === null ? 'none' : 'saved' });
    if (stored === null) return;
    show(stored.content);
    setRestoredFrom(stored.updated_at);
  }

  const [keeper] = useState(() => target && new DraftKeeper({ target, read, onState: setState, open }));

  useEffect(() => {
    if (keeper === undefined) return undefined;
    // Where that fails the form asks before it is left, as forms without a draft do.
    void keeper.open();
    const patience = setTimeout(() => setState(noLongerReading), patienceMs);
    const stopWatching = watch(() => keeper.touch());
    const leave = () => void keeper.flush();
    window.addEventListener('pagehide', leave);
    return () => {
      clearTimeout(patience);
      stopWatching();
      window.removeEventListener('pagehide', leave);
      void keeper.flush().then(() => queryClient.invalidateQueries({ queryKey: queryKeys.drafts }));
    };
  }, [watch, keeper, queryClient]);

  function chosenAgain(now: DraftState): DraftState {
    if (now.at !== 'clash') return now;
    const { isLater: _, ...clash } = now;
    return { ...clash, here: read() };
  }

  if (keeper === undefined) return undefined;
  return {
    state,
    isReading: state.at === 'reading',
    restoredFrom,
    opened: openedFields,
    flush: () => keeper.flush(),
    discard: async () => {
      await keeper.discard();
      await queryClient.invalidateQueries({ queryKey: queryKeys.drafts });
    },
    keepHere: (there) => keeper.keepHere(there),
    chooseLater: () => setState((now) => (now.at === 'clash' ? { ...now, isLater: true } : now)),
    chooseNow: () => setState(chosenAgain),
    takeThere: (there) => {
      keeper.begin(there);
      show(there.content);
      setState({ at: 'saved' });
    },
  };
}
