import { z } from 'zod';
import { SavedViewName, type SavedView, type ViewedList } from '#contracts/saved-views.ts';
import { callApi } from '../api.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { TextField } from '../form/text-field.tsx';
import { useZodForm } from '../form/use-zod-form.ts';

const Form = z.object({ name: SavedViewName });

type SaveViewDialogProps = {
  list: ViewedList;
  /** The search that the view saves. */
  search: string;
  /** The one to rename; without it, a new one. */
  view: SavedView | undefined;
  onSaved: (view: SavedView) => Promise<void>;
  onClose: () => void;
};

export function SaveViewDialog({ list, search, view, onSaved, onClose }: SaveViewDialogProps) {
  const form = useZodForm(Form, { name: view?.name ?? '' });
  return (
    <FormDialog
      onClose={onClose}
      title={view === undefined ? 'Save as a view' : 'Rename view'}
      {...(view === undefined && { description: 'The search, filters, order and columns, as they are now.' })}
      form={form}
      onSubmit={async ({ name }) => {
        const saved =
          view === undefined
            ? await callApi('POST /api/saved-views', { body: { list, name, search } })
            : await callApi('PUT /api/saved-views/{viewId}', { params: { viewId: view.id }, body: { name } });
        await onSaved(saved);
      }}
      submitLabel={view === undefined ? 'Save view' : 'Rename'}
      busyLabel="Saving..."
      failureText="Failed to save the view"
    >
      <TextField form={form} name="name" label="Name" autoComplete="off" maxLength={60} required />
    </FormDialog>
  );
}
