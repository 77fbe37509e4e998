import { useEffect, useState } from 'react';
import { useSession } from '#web/shared/session.ts';
import type { TemplateDraft } from './draft.ts';
import { faultsOf, isMissing, type Fault } from './draft-faults.ts';
import { keepTemplateDraft, readTemplateDraft } from './kept-drafts.ts';

export type Editing = {
  draft: TemplateDraft;
  change: (changes: Partial<TemplateDraft>) => void;
  /** The sentence at a field; undefined where there is nothing to say yet. */
  errorOf: (field: string) => string | undefined;
  isReadOnly: boolean;
};

/** The draft at a place: as it was left in this browser, else as it begins. */
export function useTemplateDraft(place: string, initial: TemplateDraft) {
  const userId = useSession().identity?.id ?? 0;
  const [draft, setDraft] = useState(() => readTemplateDraft(userId, place) ?? initial);
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<readonly Fault[]>([]);
  const faults = faultsOf(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(initial);
  useEffect(() => keepTemplateDraft(userId, place, isChanged ? draft : undefined), [userId, place, isChanged, draft]);

  function errorOf(field: string): string | undefined {
    const own = faults.find((fault) => fault.field === field && (isTried || !isMissing(fault)));
    return (own ?? refused.find((fault) => fault.field === field))?.message;
  }

  return {
    draft,
    faults,
    isChanged,
    errorOf,
    change(changes: Partial<TemplateDraft>): void {
      // An upload ends while the form is being changed.
      setDraft((current) => ({ ...current, ...changes }));
      setRefused([]);
    },
    /** From now on what is missing is said as well. */
    showAll: () => setTried(true),
    /** Refusals of the server at their fields, until something is changed. */
    refuse: setRefused,
    discard(): void {
      // The page may be gone before an effect could say so.
      keepTemplateDraft(userId, place, undefined);
      setDraft(initial);
      setTried(false);
      setRefused([]);
    },
  };
}
