import type { ProfileImport } from '#contracts/profile-imports.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Progress } from '#web/shared/ui/progress.tsx';
import { DiscardButton } from './discard-button.tsx';

/** How far the check or the import has come; it goes on when the page is left. */
export function ProgressCard({ shown }: { shown: ProfileImport }) {
  const isImporting = shown.status === 'importing';
  return (
    <Card
      title={isImporting ? 'Importing...' : 'Checking...'}
      description="You can leave this page: it goes on in the background."
      actions={<DiscardButton importId={shown.id} isRunning={isImporting} />}
    >
      <Progress
        label={isImporting ? 'Import' : 'Check'}
        sent={shown.processed_rows - shown.counts.invalid}
        failed={shown.counts.invalid}
        total={shown.total_rows}
        words={{ done: isImporting ? 'imported' : 'checked', failed: 'invalid' }}
      />
    </Card>
  );
}
