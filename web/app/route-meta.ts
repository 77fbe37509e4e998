import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTitleCount } from '#web/shared/title-count.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's title in the header and the document. */
    title?: string;
    /** The page has the whole screen beside the sidebar, and scrolls within. */
    fillsScreen?: boolean;
  }
}

const defaultTitle = 'Dashboard';

export function usePageTitle(): string {
  return (
    useMatches({ select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title }) ??
    defaultTitle
  );
}

export function useDocumentTitle(title: string): void {
  const count = useTitleCount();
  useEffect(() => {
    document.title = `${count}${title} · Dovepost`;
  }, [title, count]);
}

export function useFillsScreen(): boolean {
  return useMatches({ select: (matches) => matches.some((match) => match.staticData.fillsScreen === true) });
}
