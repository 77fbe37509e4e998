import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { NotepadText, Plus, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { SavedTemplate } from '#contracts/saved-templates.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { DeleteTemplateDialog } from './delete-template-dialog.tsx';
import { templateColumns } from './template-columns.tsx';
import { TemplateDialog } from './template-dialog.tsx';
import { templatePageSize, templatesQuery } from './template-queries.ts';
import type { TemplateSearch } from './template-search.ts';

const plus = <Plus aria-hidden="true" className="size-4" />;

type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; template: SavedTemplate };

/** The messages that are kept under a name. */
export function TemplatesPage() {
  const search = useSearch({ from: '/shell/templates' });
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const query = useQuery(templatesQuery(search));
  const close = () => setOpen(undefined);
  const change = (next: TemplateSearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  return (
    <>
      <PageHeader
        title="Templates"
        description="Messages to begin campaigns, flows and bulk runs with"
        actions={
          <Button variant="primary" icon={plus} onClick={() => setOpen({ kind: 'new' })}>
            New Template
          </Button>
        }
      />
      <Card flush>
        <div className="border-b px-3 py-2.5 sm:px-4">
          <SearchInput
            label="Search templates"
            value={search.search ?? ''}
            onSearch={(text) => change(text === '' ? {} : { search: text })}
          />
        </div>
        <DataTable
          label="Templates"
          columns={templateColumns({
            onEdit: (template) => setOpen({ kind: 'edit', template }),
            onDelete: (template) => setOpen({ kind: 'delete', template }),
          })}
          rowKey={({ id }) => id}
          query={query}
          loadingText="Loading templates..."
          failureText="Failed to load templates"
          paging={{
            page: search.page ?? 1,
            pageSize: templatePageSize,
            onPage: (page) => change({ ...(search.search && { search: search.search }), ...(page > 1 && { page }) }),
          }}
          empty={
            search.search === undefined ? (
              <EmptyState
                icon={<NotepadText aria-hidden="true" />}
                title="No templates yet"
                hint="Keep a message under a name, and begin the next campaign, flow or bulk run with it."
                action={
                  <Button icon={plus} onClick={() => setOpen({ kind: 'new' })}>
                    New Template
                  </Button>
                }
              />
            ) : (
              <EmptyState
                icon={<SearchX aria-hidden="true" />}
                title="No template matches"
                action={<Button onClick={() => change({})}>Show all</Button>}
              />
            )
          }
        />
      </Card>
      {open?.kind === 'new' && <TemplateDialog onClose={close} />}
      {open?.kind === 'edit' && <TemplateDialog template={open.template} onClose={close} />}
      {open?.kind === 'delete' && <DeleteTemplateDialog template={open.template} onClose={close} />}
    </>
  );
}
