import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '#web/shared/styles/index.css';
import { answerPushWorker } from './answer-push-worker.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.ts';
import { followSession } from './follow-session.ts';
import { keepFocus } from './keep-focus.ts';
import { startEarly } from './start-early.ts';

const container = document.getElementById('root');
if (container === null) throw new Error('The page has no element with the id "root".');

// The content security policy refuses the code that zod would make, and reports the try. Where `z.config` keeps this: to
// import it would bring zod into the entry.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
startEarly();
followSession();
keepFocus();
answerPushWorker();

createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
