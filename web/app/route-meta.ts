import { useQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { StaticPath } from '#web/shared/paths.ts';
import { useShownName } from '#web/shared/page-name.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { useTitleCount } from '#web/shared/title-count.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's title in the header and the document, unless it is about one thing that has a name. */
    title?: string;
    /** The list or page that it belongs to; the header leads there. */
    section?: Section;
    /** The page stands in a project, which its path names. */
    isOfProject?: boolean;
    /** An editor over its section, which stays where it is. */
    isOverSection?: boolean;
    /** The page has the whole screen beside the sidebar, and scrolls within. */
    fillsScreen?: boolean;
  }
}

export type Section = { title: string; to: StaticPath };

const defaultTitle = 'Dashboard';

export function usePageTitle(): string {
  const name = useShownName();
  const title = useTitleOfRoute();
  return name ?? title;
}

function useTitleOfRoute(): string {
  return (
    useMatches({ select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title }) ??
    defaultTitle
  );
}

/** The project that the page stands in; undefined elsewhere, and while it loads. */
export function useProjectOfPage(): { id: number; name: string } | undefined {
  const id = useMatches({
    select: (matches) => {
      const match = matches.findLast(({ staticData }) => staticData.isOfProject);
      return match && Number((match.params as { projectId?: string }).projectId);
    },
  });
  const { data: projects } = useQuery({ ...projectsQuery(), enabled: id !== undefined });
  return projects?.find((project) => project.id === id);
}

export function useDocumentTitle(title: string): void {
  const count = useTitleCount();
  const project = useProjectOfPage();
  const place = project ? `${title} · ${project.name}` : title;
  useEffect(() => {
    document.title = `${count}${place} · Dovepost`;
  }, [place, count]);
}

export function useFillsScreen(): boolean {
  return useMatches({ select: (matches) => matches.some((match) => match.staticData.fillsScreen === true) });
}

/** The path of the page beneath whatever is open over it. */
export function usePagePath(): string {
  return useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.isOverSection !== true)?.pathname ?? '',
  });
}

export function useSection(): Section | undefined {
  return useMatches({ select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.section });
}
