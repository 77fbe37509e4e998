import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SuppressionImport } from '#contracts/suppressions.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { FileDrop } from '#web/shared/form/file-drop.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const upload = useMutation({
    // Systems differ in what they call a CSV file; its name has been checked.
    mutationFn: (file: File) =>
      callApi('POST /api/suppressions/import', {}, { file: new Blob([file], { type: 'text/csv' }) }),
    onSuccess: async () => {
      const keys = [queryKeys.suppressions, queryKeys.profiles];
      await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: (error) => setProblem(errorText(error, 'Failed to read file')),
  });

  function handleFile(file: File): void {
    const isCsv = /\.(csv|txt)$/i.test(file.name);
    setProblem(isCsv ? undefined : 'Please upload a .csv file');
    if (isCsv) upload.mutate(file);
  }

  return (
    <Dialog
      isOpen
      onClose={() => !upload.isPending && onClose()}
      title="Import opted-out numbers"
      description="Everybody in the file is left alone from now on. Nobody is taken off the list."
    >
      <DialogBody>
        {upload.data && <Outcome outcome={upload.data} />}
        <FileDrop
          label={upload.data ? 'Choose another file' : 'Choose a CSV file, or drop it here'}
          hint="Full numbers with the calling code, in a column phone or in the first one; a column note is kept."
          accept=".csv,.txt"
          busy={upload.isPending ? 'Importing...' : undefined}
          error={problem}
          onFile={handleFile}
        />
      </DialogBody>
      <DialogFooter>
        <Button disabled={upload.isPending} onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

const count = (numbers: number, words: string) => `${numbers.toLocaleString('en')} ${words}`;

function Outcome({ outcome: { added, already, rejected, rejected_lines: lines } }: { outcome: SuppressionImport }) {
  const parts = [
    count(added, 'added'),
    ...(already > 0 ? [count(already, 'had opted out before')] : []),
    ...(rejected > 0 ? [count(rejected, rejected === 1 ? 'line was not read' : 'lines were not read')] : []),
  ];
  return (
    <Notice live color={rejected > 0 ? 'yellow' : 'green'} title={parts.join(', ')}>
      {lines.length > 0 && (
        <ul className="mt-1 max-h-32 overflow-y-auto text-13">
          {lines.map(({ line, reason }) => (
            <li key={line}>
              Line {line.toLocaleString('en')}: {reason}
            </li>
          ))}
          {rejected > lines.length && <li>and {(rejected - lines.length).toLocaleString('en')} more</li>}
        </ul>
      )}
    </Notice>
  );
}
