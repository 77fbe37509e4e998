import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import '#web/shared/styles/tokens.css';
import '#web/shared/styles/index.css';
import { dismissToast, getToasts } from '#web/shared/ui/toast-store.ts';
import { Toaster } from '#web/shared/ui/toaster.tsx';

/** Shows an element in the page until the test ends, with the toasts it raises; answers what it has fetched. */
export function render(element: ReactNode): QueryClient {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  root.render(
    <QueryClientProvider client={queryClient}>
      {element}
      <Toaster />
    </QueryClientProvider>,
  );
  onTestFinished(() => {
    root.unmount();
    container.remove();
    for (const { id } of getToasts()) dismissToast(id);
  });
  return queryClient;
}
