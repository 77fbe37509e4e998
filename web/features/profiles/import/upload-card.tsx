import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { FileDrop } from '#web/shared/form/file-drop.tsx';
import { paths } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { showImport } from './import-queries.ts';

/** The first step: the file. */
export function UploadCard() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const upload = useMutation({
    // Systems differ in what they call a CSV file; its name has been checked.
    mutationFn: (file: File) =>
      callApi(
        'POST /api/profiles/import',
        { query: { file_name: file.name } },
        { file: new Blob([file], { type: 'text/csv' }) },
      ),
    onSuccess: (uploaded) => {
      showImport(queryClient, uploaded);
      return navigate({ to: paths.profileImport, search: { id: uploaded.id } });
    },
    onError: (error) => setProblem(errorText(error, 'Failed to read file')),
  });

  function handleFile(file: File): void {
    const isCsv = file.name.toLowerCase().endsWith('.csv');
    setProblem(isCsv ? undefined : 'Please upload a .csv file');
    if (isCsv) upload.mutate(file);
  }

  return (
    <Card>
      <FileDrop
        label="Choose a CSV file, or drop it here"
        hint="UTF-8 with a header row. Columns such as phone, country_code, name, email and status are recognised; others become custom fields. Nothing changes before you have looked at the columns."
        accept=".csv"
        busy={upload.isPending ? 'Uploading...' : undefined}
        error={problem}
        onFile={handleFile}
      />
    </Card>
  );
}
