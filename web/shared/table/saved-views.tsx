import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bookmark, BookmarkPlus, Check, List, PenLine, Save, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { SavedView, ViewedList } from '#contracts/saved-views.ts';
import { callApi } from '../api.ts';
import { errorText } from '../api-error.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';
import { Button, type ButtonSize } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { notify } from '../ui/toast-store.ts';
import type { ChosenColumns } from './use-columns.ts';
import { readView, viewSearch } from './view-search.ts';

/** With what checks forms, which a list does without until then. */
const SaveViewDialog = lazy(async () => ({ default: (await import('./save-view-dialog.tsx')).SaveViewDialog }));

function viewsQuery(list: ViewedList) {
  return {
    queryKey: [...queryKeys.savedViews, list] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => callApi('GET /api/saved-views', { query: { list } }, { signal }),
    placeholderData: noPlaceholder,
  };
}

type SavedViewsProps = {
  list: ViewedList;
  /** Of a list whose columns are chosen. */
  columns?: Pick<ChosenColumns['chooser'], 'cols' | 'usual'> | undefined;
  size?: ButtonSize;
};

const iconClass = 'size-4 shrink-0';

/** The views of a list by their names; a view is what the address says, and the columns. */
export function SavedViews({ list, columns, size = 'small' }: SavedViewsProps) {
  const { data } = useQuery(viewsQuery(list));
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const current = viewSearch({ ...search, cols: columns?.cols });
  const [dialog, setDialog] = useState<'save' | SavedView>();
  const [lastId, setLastId] = useState<number>();
  const views = data?.data ?? [];
  const shown = views.find((view) => view.search === current);
  const isAll = shown === undefined && viewSearch({ ...search, cols: undefined }) === '';
  if (shown !== undefined && shown.id !== lastId) setLastId(shown.id);
  /** A view that was opened and then narrowed further, or sorted otherwise. */
  const changed = current === '' || shown ? undefined : views.find(({ id }) => id === lastId);

  const refresh = () => queryClient.invalidateQueries({ queryKey: viewsQuery(list).queryKey });
  const update = useMutation({
    mutationFn: ({ id }: SavedView) =>
      callApi('PUT /api/saved-views/{viewId}', { params: { viewId: id }, body: { search: current } }),
    onSuccess: async ({ name }) => {
      await refresh();
      notify.success(`${name} shows this from now on`);
    },
    onError: (error) => notify.error(errorText(error, 'Failed to update the view')),
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => callApi('DELETE /api/saved-views/{viewId}', { params: { viewId: id } }),
    onSuccess: async (_, view) => {
      await refresh();
      notify.success('View deleted', { action: { label: 'Undo', onSelect: () => putBack.mutate(view) } });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to delete the view')),
  });

  const putBack = useMutation({
    mutationFn: ({ name, search: kept }: SavedView) =>
      callApi('POST /api/saved-views', { body: { list, name, search: kept } }),
    onSuccess: async () => {
      await refresh();
      notify.success('Undone');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to undo')),
  });

  function show(view?: SavedView): void {
    const next = readView(view?.search ?? '');
    if (view === undefined) setLastId(undefined);
    // Saved with the usual columns, it shows them to those who have chosen others.
    else if (columns?.cols !== undefined) next['cols'] ??= columns.usual;
    void navigate({ to: '.', search: () => next as never, resetScroll: false });
  }

  const items: MenuItem[] = [
    { label: 'All', icon: iconOf(isAll, <List className={iconClass} />), onSelect: () => show() },
    ...views.map((view) => ({
      label: view.name,
      icon: iconOf(view === shown, <Bookmark className={iconClass} />),
      onSelect: () => show(view),
    })),
    'separator',
    ...(changed === undefined
      ? []
      : [
          {
            label: `Update “${changed.name}”`,
            needs: 'views:write' as const,
            icon: <Save className={iconClass} />,
            onSelect: () => update.mutate(changed),
          },
        ]),
    {
      label: 'Save as a view',
      needs: 'views:write',
      icon: <BookmarkPlus className={iconClass} />,
      disabled: current === '' || shown !== undefined,
      onSelect: () => setDialog('save'),
    },
    ...(shown === undefined
      ? []
      : [
          {
            label: 'Rename view',
            needs: 'views:write' as const,
            icon: <PenLine className={iconClass} />,
            onSelect: () => setDialog(shown),
          },
          {
            label: 'Delete view',
            needs: 'views:write' as const,
            danger: true,
            icon: <Trash2 className={iconClass} />,
            onSelect: () => remove.mutate(shown),
          },
        ]),
  ];
  const name = shown?.name ?? (changed && `${changed.name} (changed)`) ?? 'Views';
  return (
    <>
      <Menu
        trigger={
          <Button
            size={size}
            icon={<Bookmark aria-hidden="true" className={iconClass} />}
            aria-label={name === 'Views' ? 'Views' : `Views: ${name}`}
          >
            <bdi className="max-w-40 truncate">{name}</bdi>
          </Button>
        }
        items={items}
      />
      {dialog !== undefined && (
        <Suspense fallback={null}>
          <SaveViewDialog
            list={list}
            search={current}
            view={dialog === 'save' ? undefined : dialog}
            onSaved={async (view) => {
              await refresh();
              setLastId(view.id);
              show(view);
            }}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

const iconOf = (isShown: boolean, icon: React.ReactNode) => (isShown ? <Check className={iconClass} /> : icon);
