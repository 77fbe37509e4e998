import { lazy, Suspense, type ReactNode } from 'react';
import { Check, CloudOff, LoaderCircle } from 'lucide-react';
import { RelativeTime } from '../ui/relative-time.tsx';
import type { DraftState } from './draft-keeper.ts';
import type { FormDraft } from './use-draft.ts';

const iconClass = 'size-3.5 shrink-0';
const linkClass = 'rounded-small hover:text-ink hover:underline max-sm:min-h-10';

const stateWords: Record<Exclude<DraftState['at'], 'none' | 'reading'>, { icon: ReactNode; words: string }> = {
  saving: { icon: <LoaderCircle aria-hidden="true" className={iconClass} />, words: 'Saving draft...' },
  saved: { icon: <Check aria-hidden="true" className={iconClass} />, words: 'Draft saved' },
  unsaved: { icon: <CloudOff aria-hidden="true" className={iconClass} />, words: 'The draft could not be saved' },
  clash: { icon: <CloudOff aria-hidden="true" className={iconClass} />, words: 'Changed in another tab' },
};

const earlierWords = { ...stateWords.clash, words: 'You have another draft' };

/** Whether what is typed is kept; at the left of a form's buttons. */
export function DraftStatus({ draft, onDiscard }: { draft: FormDraft; onDiscard: () => void }) {
  const { at } = draft.state;
  if (at === 'none' || at === 'reading') return null;
  const { icon, words } = at === 'clash' && draft.state.isEarlier ? earlierWords : stateWords[at];
  return (
    <div className="flex items-center gap-3 text-13 text-muted">
      <span role="status" className="flex items-center gap-1.5">
        {icon}
        {words}
      </span>
      {at === 'clash' && (
        <button type="button" onClick={draft.chooseNow} className={linkClass}>
          Compare
        </button>
      )}
      <button type="button" onClick={onDiscard} className={linkClass}>
        Discard draft
      </button>
    </div>
  );
}

/** The fields of a form. They wait until its draft is read, so that nothing is typed over what was typed before. */
export function DraftedFields({ draft, children }: { draft: FormDraft | undefined; children: ReactNode }) {
  const isReading = draft?.isReading === true;
  return (
    <fieldset disabled={isReading} aria-busy={isReading || undefined} className="contents aria-busy:*:animate-dim">
      {children}
    </fieldset>
  );
}

/** Says that the form began with what was typed before. */
export function RestoredDraft({ draft }: { draft: FormDraft }) {
  if (draft.restoredFrom === undefined || draft.state.at === 'none') return null;
  return (
    <p role="status" className="rounded-base bg-sunken px-3 py-2 text-13 text-muted">
      This is your draft from <RelativeTime at={draft.restoredFrom} />. Nothing of it is saved or sent yet.
    </p>
  );
}

const LazyClashDialog = lazy(async () => ({ default: (await import('./clash-dialog.tsx')).ClashDialog }));

/** Two tabs wrote different texts: both are shown, and one is chosen. */
export function ClashQuestion({ draft }: { draft: FormDraft }) {
  if (draft.state.at !== 'clash' || draft.state.isLater) return null;
  return (
    <Suspense fallback={null}>
      <LazyClashDialog draft={draft} {...draft.state} />
    </Suspense>
  );
}
