import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's title in the header and the document. */
    title?: string;
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
  useEffect(() => {
    document.title = `${title} · Dovepost`;
  }, [title]);
}
