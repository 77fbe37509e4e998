import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { saveFile } from '#web/shared/download.ts';
import { FileDrop } from '#web/shared/form/file-drop.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { pricesKey } from './price-queries.ts';

const example = `country,category,currency,price,valid_from
DE,marketing,EUR,0.1131,2026-01-01
DE,utility,EUR,0.0456,2026-01-01
*,marketing,EUR,0.0500,2026-01-01
`;

/** Takes a CSV file in place of the whole list. */
export function ReplaceDialog({ hasPrices, onClose }: { hasPrices: boolean; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const replace = useMutation({
    // Systems differ in what they call a CSV file; its name has been checked.
    mutationFn: (file: File) =>
      callApi('PUT /api/message-prices', {}, { file: new Blob([file], { type: 'text/csv' }) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: pricesKey }),
    onError: (error) => setProblem(errorText(error, 'Failed to read file')),
  });

  function handleFile(file: File): void {
    const isCsv = /\.(csv|txt)$/i.test(file.name);
    setProblem(isCsv ? undefined : 'Please upload a .csv file');
    if (isCsv) replace.mutate(file);
  }

  return (
    <Dialog
      isOpen
      onClose={() => !replace.isPending && onClose()}
      title="Upload price list"
      description={
        hasPrices
          ? 'The file takes the place of the whole list. Download the list first to change a part of it.'
          : 'A line for each country and category.'
      }
    >
      <DialogBody>
        {replace.isSuccess && problem === undefined && (
          <Notice color="green" title={`The list has ${countOf(replace.data.prices)} now`} live>
            Reviews, reports and numbers use it from now on.
          </Notice>
        )}
        <FileDrop
          label={replace.isSuccess ? 'Choose another file' : 'Choose a CSV file, or drop it here'}
          hint="Columns: country (two letters, * for all others), category, currency, price and, if you like, valid_from."
          accept=".csv,.txt"
          busy={replace.isPending ? 'Reading...' : undefined}
          error={problem}
          onFile={handleFile}
        />
        <p className="text-13 text-muted">
          <button
            type="button"
            className="rounded-small text-accent-ink hover:underline"
            onClick={() => saveFile(new Blob([example], { type: 'text/csv' }), 'message-prices-example.csv')}
          >
            Download an example
          </button>{' '}
          with made-up prices.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button disabled={replace.isPending} onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

const countOf = (prices: number) => `${prices.toLocaleString('en')} ${prices === 1 ? 'price' : 'prices'}`;
