import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';

/** Lists whose things are edited at addresses of their own. */
type EditedList = '/campaigns' | '/flows' | '/segments';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The segment that a new campaign goes to. */
    toSegment?: number;
  }
}

export type Editor =
  | { kind: 'new' }
  /** A new one that begins as another. */
  | { kind: 'copy'; id: number }
  | { kind: 'edit'; id: number };

const ofPage = /^([1-9]\d{0,15})\/edit\/?$/;
const editPlaces: Readonly<Record<EditedList, RegExp>> = {
  '/campaigns': ofPage,
  '/flows': ofPage,
  '/segments': /^([1-9]\d{0,15})\/?$/,
};

/**
 * The editor that an address opens: `/campaigns/new`, `/campaigns/new?copy=7`, `/campaigns/7/edit`. A segment has no page
 * beside its editor, which stands at `/segments/7`.
 */
function editorAt(list: EditedList, pathname: string, search: object): Editor | undefined {
  const [, place = ''] = pathname.split(`${list}/`);
  const id = Number(editPlaces[list].exec(place)?.[1]);
  if (id > 0) return { kind: 'edit', id };
  if (!/^new\/?$/.test(place)) return undefined;
  const copied = 'copy' in search ? Number(search.copy) : 0;
  return Number.isSafeInteger(copied) && copied > 0 ? { kind: 'copy', id: copied } : { kind: 'new' };
}

/** The address of an editor: where it opens, and where it leads back to. The list keeps its search meanwhile. */
export function useEditor(list: EditedList) {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const { history } = useRouter();
  const editor = editorAt(list, pathname, search);

  function go(to: string, { copy, isOpened }: { copy?: number; isOpened: boolean }): void {
    void navigate({
      to,
      search: (previous: object) => ({ ...previous, copy, groups: undefined, event: undefined }),
      state: isOpened ? { isOpened } : {},
      replace: !isOpened,
      resetScroll: false,
    } as Parameters<typeof navigate>[0]);
  }

  return {
    editor,
    openNew: () => go(`${list}/new`, { isOpened: true }),
    openCopy: (id: number) => go(`${list}/new`, { copy: id, isOpened: true }),
    openEdit: (id: number) => go(list === '/segments' ? `${list}/${id}` : `${list}/${id}/edit`, { isOpened: true }),
    close: () => (state.isOpened === true ? history.back() : go(list, { isOpened: false })),
  };
}
