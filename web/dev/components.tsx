/** Every shared component in every state, for those who work on them; the build does not know this page. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '#web/shared/styles/tokens.css';
import '#web/shared/styles/index.css';
import { Brand } from '#web/shared/ui/brand.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { ThemeSwitch } from '#web/shared/ui/theme-switch.tsx';
import { Toaster } from '#web/shared/ui/toaster.tsx';
import { ActionParts } from './action-parts.tsx';
import { ContentParts } from './content-parts.tsx';
import { DialogParts } from './dialog-parts.tsx';
import { FormParts } from './form-parts.tsx';
import { StatusParts } from './status-parts.tsx';
import { TableParts } from './table-parts.tsx';

function ComponentsPage() {
  return (
    <>
      <header className="flex h-(--header) items-center justify-between border-b px-4 sm:px-8">
        <Brand />
        <ThemeSwitch />
      </header>
      <main className="mx-auto grid max-w-316 gap-6 px-4 py-8 sm:px-8">
        <PageHeader title="Components" description="Each shared component in every state" />
        <ActionParts />
        <StatusParts />
        <FormParts />
        <DialogParts />
        <TableParts />
        <ContentParts />
      </main>
      <Toaster />
    </>
  );
}

const container = document.getElementById('root');
if (container === null) throw new Error('The page has no element with the id "root".');

createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <ComponentsPage />
    </QueryClientProvider>
  </StrictMode>,
);
