import { projectsQuery } from '#web/shared/queries.ts';
import { getSession } from '#web/shared/session.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.ts';

type RouteId = keyof typeof router.routesById;

/** While the guard still asks who is there: the code of the page, and the projects that its frame shows. */
export function startEarly(): void {
  const { token, currentProjectId } = getSession();
  // A stored project means that the user was a subscriber.
  if (token === null || currentProjectId === null) return;
  for (const match of router.matchRoutes(router.latestLocation)) {
    const { component } = router.routesById[match.routeId as RouteId].options;
    if (component !== undefined && 'preload' in component) void component.preload();
  }
  void queryClient.prefetchQuery(projectsQuery());
}
