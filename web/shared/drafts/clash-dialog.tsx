import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { differencesOf, fieldWords } from './draft-content.ts';
import type { DraftState } from './draft-keeper.ts';
import { DraftValue } from './draft-value.tsx';
import type { FormDraft } from './use-draft.ts';

type ClashDialogProps = { draft: FormDraft } & Pick<
  Extract<DraftState, { at: 'clash' }>,
  'here' | 'there' | 'isEarlier'
>;

const elsewhere = {
  title: 'This draft was changed in another tab',
  saved: 'The other text was saved',
  here: 'In this tab',
  there: 'In the other tab',
  take: 'Take the other one',
};
const earlier: typeof elsewhere = {
  title: 'You have a draft of this already',
  saved: 'It was saved',
  here: 'Typed now',
  there: 'In the draft',
  take: 'Take the draft',
};

/** Two texts, of two tabs or of two times: both are shown, and one is chosen. */
export function ClashDialog({ draft, here, there, isEarlier }: ClashDialogProps) {
  const words = isEarlier ? earlier : elsewhere;
  return (
    <Dialog
      isOpen
      role="alertdialog"
      size="large"
      onClose={draft.chooseLater}
      title={words.title}
      description={
        <>
          {words.saved} <RelativeTime at={there.updated_at} />. Choose the one to go on with; the other one is gone
          then.
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
                {words.here}
              </th>
              <th scope="col" className="py-1.5 font-medium">
                {words.there}
              </th>
            </tr>
          </thead>
          <tbody>
            {differencesOf(draft.opened(), here, there.content).map(({ path, ...texts }) => (
              <tr key={path} className="border-t align-top">
                <th scope="row" className="py-2 pr-3 text-left font-medium">
                  {fieldWords(path)}
                </th>
                {[texts.here, texts.there].map((value, index) => (
                  <td key={index} className="py-2 pr-3 wrap-anywhere whitespace-pre-wrap">
                    <DraftValue path={path} value={value} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <DialogFooter>
        <Button onClick={() => draft.takeThere(there)}>{words.take}</Button>
        <Button variant="primary" data-autofocus onClick={() => void draft.keepHere(there)}>
          Keep this one
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
