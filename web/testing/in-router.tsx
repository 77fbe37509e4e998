import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** An element that has links or a search of its own, as the page at `path`; what it leads to stays in memory. */
export function inRouter(element: ReactNode, path = '/'): { page: ReactNode; address: () => string } {
  const history = createMemoryHistory({ initialEntries: [path] });
  const root = createRootRoute({ component: () => element, notFoundComponent: () => element });
  // Under the id that the app's own route has: hooks ask for it.
  const shell = createRoute({ getParentRoute: () => root, id: 'shell' });
  const own = createRoute({ getParentRoute: () => shell, path: new URL(path, 'http://app').pathname });
  const router = createRouter({ routeTree: root.addChildren([shell.addChildren([own])]), history });
  // The registered type is the app's own router, of which this one has no route.
  return { page: <RouterProvider router={router as never} />, address: () => history.location.href };
}
