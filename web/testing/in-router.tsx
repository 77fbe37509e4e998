import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** An element that has links or a search of its own, as the page at `path`; what it leads to stays in memory. */
export function inRouter(element: ReactNode, path = '/'): { page: ReactNode; address: () => string } {
  const history = createMemoryHistory({ initialEntries: [path] });
  const root = createRootRoute({ component: () => element, notFoundComponent: () => element });
  const router = createRouter({ routeTree: root, history });
  // The registered type is the app's own router, of which this one has no route.
  return { page: <RouterProvider router={router as never} />, address: () => history.location.href };
}
