import { useState } from 'react';
import { FileUp, Plus } from 'lucide-react';
import { Button } from '#web/shared/ui/button.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { AddNumberDialog } from './add-number-dialog.tsx';
import { ExportButton } from './export-button.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { RepliesCard } from './replies-card.tsx';
import { SuppressionsCard } from './suppressions-card.tsx';

export function OptOutPage() {
  const [open, setOpen] = useState<'add' | 'import'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHeader
        title="Opt-out"
        description="Numbers that get no messages from you, whatever is sent to them"
        actions={
          <>
            <Button icon={<FileUp aria-hidden="true" className="size-4" />} onClick={() => setOpen('import')}>
              Import CSV
            </Button>
            <ExportButton />
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setOpen('add')}
            >
              Add Number
            </Button>
          </>
        }
      />
      <SuppressionsCard onAdd={() => setOpen('add')} />
      <RepliesCard />
      {open === 'add' && <AddNumberDialog onClose={close} />}
      {open === 'import' && <ImportDialog onClose={close} />}
    </>
  );
}
