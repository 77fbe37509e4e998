import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useState } from 'react';
import { FileUp, Plus } from 'lucide-react';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { AddNumberDialog } from './add-number-dialog.tsx';
import { ExportButton } from './export-button.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { suppressionsQuery } from './opt-out-queries.ts';
import { RepliesCard } from './replies-card.tsx';
import { TopicsCard } from './topics-card.tsx';
import { SuppressionsCard } from './suppressions-card.tsx';

export function OptOutPage() {
  const [open, setOpen] = useState<'add' | 'import'>();
  const close = () => setOpen(undefined);
  const search = useSearch({ from: '/shell/settings/opt-out' });
  const isListed = !useInfiniteQuery(suppressionsQuery(search)).isPending;
  return (
    <>
      <PageHeader
        title="Opt-out"
        description="Numbers that get no messages from you, whatever is sent to them"
        actions={
          <>
            <Button
              needs="contacts:write"
              icon={<FileUp aria-hidden="true" className="size-4" />}
              onClick={() => setOpen('import')}
            >
              Import CSV
            </Button>
            <ExportButton />
            <Button
              needs="contacts:write"
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setOpen('add')}
            >
              Add Number
            </Button>
          </>
        }
      />
      <SettingsFrame>
        <SuppressionsCard onAdd={() => setOpen('add')} />
        {/* Below a list whose length is not known yet it would jump. */}
        <div className={clsx('contents', isListed || 'invisible')}>
          <TopicsCard />
          <RepliesCard />
        </div>
      </SettingsFrame>
      {open === 'add' && <AddNumberDialog onClose={close} />}
      {open === 'import' && <ImportDialog onClose={close} />}
    </>
  );
}
