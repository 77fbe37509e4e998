import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Bookmark, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import type { SavedView, ViewedList } from '#contracts/saved-views.ts';
import { callApi } from '../api.ts';
import { errorText } from '../api-error.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { TextField } from '../form/text-field.tsx';
import { useZodForm } from '../form/use-zod-form.ts';
import { queryKeys } from '../queries.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { notify } from '../ui/toast-store.ts';
import { viewSearch } from './view-search.ts';

const Form = z.object({ name: z.string().trim().min(1, 'Enter a name').max(60) });

function viewsQuery(list: ViewedList) {
  return {
    queryKey: [...queryKeys.savedViews, list] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => callApi('GET /api/saved-views', { query: { list } }, { signal }),
  };
}

/** Above a list: all of it, and the views that were saved of it. A view is what the address says. */
export function SavedViews({ list }: { list: ViewedList }) {
  const { data } = useQuery(viewsQuery(list));
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const current = viewSearch(useSearch({ strict: false }));
  const [isNaming, setNaming] = useState(false);
  const views = data?.data ?? [];
  const shown = views.find(({ search }) => search === current);
  const refresh = () => queryClient.invalidateQueries({ queryKey: viewsQuery(list).queryKey });
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => callApi('DELETE /api/saved-views/{viewId}', { params: { viewId: id } }),
    onSuccess: refresh,
    onError: (error) => notify.error(errorText(error, 'Failed to delete the view')),
  });
  const isNew = current !== '' && shown === undefined;
  if (views.length === 0 && !isNew) return null;

  const show = (search: string) =>
    void navigate({ href: search === '' ? pathname : `${pathname}?${search}`, resetScroll: false });

  return (
    <nav aria-label="Saved views" className="-my-1 flex flex-wrap items-center gap-1">
      <ViewButton label="All" isShown={current === ''} onShow={() => show('')} />
      {views.map((view) => (
        <ViewButton key={view.id} label={view.name} isSaved isShown={view === shown} onShow={() => show(view.search)} />
      ))}
      {shown !== undefined && (
        <Menu
          trigger={
            <IconButton
              size="small"
              label={`Actions for the view ${shown.name}`}
              icon={<Ellipsis aria-hidden="true" className="size-4" />}
            />
          }
          items={[{ label: 'Delete view', danger: true, onSelect: () => remove.mutate(shown) }]}
        />
      )}
      {isNew && (
        <Button variant="ghost" size="small" onClick={() => setNaming(true)}>
          Save view
        </Button>
      )}
      {isNaming && <SaveDialog list={list} search={current} onSaved={refresh} onClose={() => setNaming(false)} />}
    </nav>
  );
}

type ViewButtonProps = { label: string; isSaved?: boolean; isShown: boolean; onShow: () => void };

function ViewButton({ label, isSaved = false, isShown, onShow }: ViewButtonProps) {
  return (
    <button
      type="button"
      aria-current={isShown ? 'page' : undefined}
      onClick={onShow}
      className={clsx(
        'flex h-(--control-small) max-w-56 items-center gap-1.5 rounded-base px-2.5 text-13 font-medium',
        isShown ? 'bg-pressed text-ink' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {isSaved && <Bookmark aria-hidden="true" className="size-3.5 shrink-0" />}
      <span dir="auto" className="truncate">
        {label}
      </span>
    </button>
  );
}

type SaveDialogProps = { list: ViewedList; search: string; onSaved: () => Promise<void>; onClose: () => void };

function SaveDialog({ list, search, onSaved, onClose }: SaveDialogProps) {
  const form = useZodForm(Form, { name: '' });
  const save = useMutation({
    mutationFn: ({ name }: z.output<typeof Form>) => callApi('POST /api/saved-views', { body: { list, name, search } }),
    onSuccess: onSaved,
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Save view"
      description="The search, the filters, the order and the columns, as they are now."
      form={form}
      onSubmit={async (values) => void (await save.mutateAsync(values))}
      submitLabel="Save view"
      busyLabel="Saving..."
      failureText="Failed to save the view"
    >
      <TextField form={form} name="name" label="Name" autoComplete="off" maxLength={60} required />
    </FormDialog>
  );
}
