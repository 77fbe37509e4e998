import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '#web/shared/form/field.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { Separated } from '#web/shared/ui/separated.tsx';
import { columnNames, type FileColumns } from './csv/file-columns.ts';
import type { FilePlan, FileQuestion } from './csv/parse-contacts.ts';

const labels: Record<keyof FileColumns, string> = {
  phone: 'Phone number',
  country_code: 'Country code',
  name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  shop: 'Shop',
};

type ColumnsDialogProps = {
  fileName: string;
  question: FileQuestion;
  onClose: () => void;
  onChosen: (plan: FilePlan) => void;
};

/** Which columns of a file hold the number and the name, where its headers do not say so. */
export function ColumnsDialog({ fileName, question, onClose, onChosen }: ColumnsDialogProps) {
  const [columns, setColumns] = useState(question.columns);
  const { user } = useSession();
  const [country, setCountry] = useState(question.country ?? user?.default_country ?? '');
  const { data: countries = [] } = useQuery({ queryKey: ['countries'], queryFn: listCountries, staleTime: Infinity });
  const options = question.headers.map((header, place) => ({
    value: String(place),
    label: header === '' ? `Column ${place + 1}` : header,
  }));
  const isSuggested = columns.phone === question.columns.phone && columns.country_code === null;

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Choose columns"
      description={
        <>
          Where <bdi>{fileName}</bdi> has the number and the name. Every column is a placeholder.
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChosen({ columns, country: country === '' || columns.country_code !== null ? null : country });
        }}
      >
        <DialogBody>
          <div className="grid gap-4 sm:grid-cols-2">
            {columnNames.map((name) => (
              <Field key={name} label={labels[name]} hint={<Samples question={question} place={columns[name]} />}>
                {(control) => (
                  <SelectInput
                    {...control}
                    options={options}
                    placeholder={name === 'phone' ? 'Choose a column' : 'None'}
                    value={columns[name] === null ? '' : String(columns[name])}
                    onChange={({ target }) =>
                      setColumns({ ...columns, [name]: target.value === '' ? null : Number(target.value) })
                    }
                  />
                )}
              </Field>
            ))}
          </div>
          {columns.country_code === null && (
            <Field
              label="Country of numbers without a calling code"
              hint={isSuggested ? unclearText(question.unclear) : undefined}
            >
              {(control) => (
                <SelectInput
                  {...control}
                  options={countries}
                  placeholder="None: such rows are invalid"
                  value={country}
                  onChange={({ target }) => setCountry(target.value)}
                />
              )}
            </Field>
          )}
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={columns.phone === null}>
            Load rows
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function Samples({ question: { samples }, place }: { question: FileQuestion; place: number | null }) {
  const ofColumn = place === null ? [] : (samples[place] ?? []);
  return ofColumn.length === 0 ? null : <Separated texts={ofColumn} />;
}

function unclearText(unclear: number): string {
  if (unclear === 0) return 'All numbers are full numbers.';
  return unclear === 1
    ? '1 number is no full number: it is read as one of this country.'
    : `${unclear.toLocaleString('en')} numbers are no full numbers: they are read as numbers of this country.`;
}

/** Loaded once somebody has to choose one of them. */
async function listCountries(): Promise<{ value: string; label: string }[]> {
  const { getCountries } = await import('libphonenumber-js/max');
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return getCountries()
    .map((country) => ({ value: country, label: names.of(country) ?? country }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
