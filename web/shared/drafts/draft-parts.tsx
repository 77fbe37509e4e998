import type { ReactNode } from 'react';
import { Check, CloudOff, LoaderCircle } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { differencesOf } from './draft-content.ts';
import type { DraftState } from './draft-keeper.ts';
import type { FormDraft } from './use-draft.ts';

const iconClass = 'size-3.5 shrink-0';

const stateWords: Record<Exclude<DraftState['at'], 'none'>, { icon: ReactNode; words: string }> = {
  saving: { icon: <LoaderCircle aria-hidden="true" className={iconClass} />, words: 'Saving draft...' },
  saved: { icon: <Check aria-hidden="true" className={iconClass} />, words: 'Draft saved' },
  unsaved: { icon: <CloudOff aria-hidden="true" className={iconClass} />, words: 'The draft could not be saved' },
  clash: { icon: <CloudOff aria-hidden="true" className={iconClass} />, words: 'Changed in another tab' },
};

/** Whether what is typed is kept; at the left of a form's buttons. */
export function DraftStatus({ draft, onDiscard }: { draft: FormDraft; onDiscard: () => void }) {
  const { at } = draft.state;
  if (at === 'none') return null;
  const { icon, words } = stateWords[at];
  return (
    <div className="flex items-center gap-3 text-13 text-muted">
      <span role="status" className="flex items-center gap-1.5">
        {icon}
        {words}
      </span>
      <button type="button" onClick={onDiscard} className="rounded-small hover:text-ink hover:underline">
        Discard draft
      </button>
    </div>
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

/** Two tabs wrote different texts: both are shown, and one is chosen. */
export function ClashDialog({ draft }: { draft: FormDraft }) {
  const { state } = draft;
  if (state.at !== 'clash') return null;
  const { here, there } = state;
  return (
    <Dialog
      isOpen
      role="alertdialog"
      size="large"
      onClose={draft.chooseLater}
      title="This draft was changed in another tab"
      description={
        <>
          The other text was saved <RelativeTime at={there.updated_at} />. Choose the one to go on with; the other one
          is gone then.
        </>
      }
    >
      <div className="min-h-0 overflow-y-auto px-5 py-4 sm:px-6">
        <table className="w-full table-fixed text-13">
          <thead>
            <tr className="text-left text-muted">
              <th scope="col" className="w-28 py-1.5 pr-3 font-medium">
                Field
              </th>
              <th scope="col" className="py-1.5 pr-3 font-medium">
                In this tab
              </th>
              <th scope="col" className="py-1.5 font-medium">
                In the other tab
              </th>
            </tr>
          </thead>
          <tbody>
            {differencesOf(here, there.content).map((difference) => (
              <tr key={difference.name} className="border-t align-top">
                <th scope="row" className="py-2 pr-3 text-left font-medium">
                  {difference.name}
                </th>
                {[difference.here, difference.there].map((text, index) => (
                  <td key={index} className="py-2 pr-3 wrap-anywhere whitespace-pre-wrap">
                    {text === '' ? <span className="text-muted">As it was</span> : <bdi>{text}</bdi>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <DialogFooter>
        <Button onClick={() => draft.takeThere(there)}>Take the other one</Button>
        <Button variant="primary" data-autofocus onClick={() => void draft.keepHere(there)}>
          Keep this one
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
