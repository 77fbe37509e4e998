import { isOrderUnknown, type ColumnType } from '#contracts/column-types.ts';
import type { ImportColumn, ProfileImport } from '#contracts/profile-imports.ts';
import { Field } from '#web/shared/form/field.tsx';
import { countryName } from '#web/shared/number-field/country-name.ts';
import { CountrySelect } from '#web/shared/number-field/country-select.tsx';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Separated } from '#web/shared/ui/separated.tsx';
import { ColumnTarget } from './column-target.tsx';
import { DiscardButton } from './discard-button.tsx';
import { columnTypeLabels, findPlanProblem, isCustomField, type Plan } from './import-plan.ts';

type ColumnsCardProps = {
  shown: ProfileImport;
  plan: Plan;
  onPlan: (plan: Plan) => void;
  /** The report below is about this plan. */
  isChecked: boolean;
  isBusy: boolean;
  onCheck: () => void;
  onRun: () => void;
};

/** Where each column goes; then the dry run and the import. */
export function ColumnsCard({ shown, plan, onPlan, isChecked, isBusy, onCheck, onRun }: ColumnsCardProps) {
  const problem = findPlanProblem(plan);
  const isBlocked = problem !== undefined || isBusy;
  const changes = shown.counts.new + shown.counts.updated;

  function setField(index: number, field: string | null): void {
    onPlan({ ...plan, fields: plan.fields.with(index, field) });
  }

  function setType(index: number, type: ColumnType): void {
    onPlan({ ...plan, types: plan.types.with(index, type) });
  }

  return (
    <Card
      flush
      title="Columns"
      description="Where each column of the file goes"
      footer={
        <>
          <p role="status" className="min-w-0 flex-1 basis-48 text-13 text-pretty text-muted">
            {problem ?? (isChecked ? 'Checked: see below what each row would do.' : 'A check changes nothing.')}
          </p>
          <DiscardButton importId={shown.id} />
          {isChecked ? (
            <Button variant="primary" disabled={isBlocked || changes === 0} onClick={onRun}>
              {`Import ${changes.toLocaleString('en')} ${changes === 1 ? 'row' : 'rows'}`}
            </Button>
          ) : (
            <>
              <Button disabled={isBlocked} onClick={onRun}>
                Import now
              </Button>
              <Button variant="primary" disabled={isBlocked} onClick={onCheck}>
                Check rows
              </Button>
            </>
          )}
        </>
      }
    >
      <ul className="divide-y">
        {shown.columns.map((column, index) => (
          <li
            key={index}
            className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-2 sm:px-5"
          >
            <div className="min-w-0">
              <p className="truncate font-medium">
                <bdi>{column.header || `Column ${index + 1}`}</bdi>
              </p>
              <p className="truncate text-13 text-muted">
                {column.samples.length === 0 ? 'Empty' : <Separated texts={column.samples} />}
              </p>
              <ColumnNote
                column={column}
                isCustom={isCustomField(plan.fields[index] ?? null)}
                type={plan.types[index] ?? 'text'}
                isChecked={isChecked}
              />
            </div>
            <ColumnTarget
              header={column.header || `Column ${index + 1}`}
              field={plan.fields[index] ?? null}
              type={plan.types[index] ?? 'text'}
              onField={(field) => setField(index, field)}
              onType={(type) => setType(index, type)}
            />
          </li>
        ))}
        <li className="px-4 py-4 sm:px-5">
          <CountryOfNumbers
            country={plan.country}
            suggested={shown.columns[plan.fields.indexOf('phone')]?.suggested_country ?? null}
            unassignable={isChecked ? shown.unassignable_numbers : 0}
            onCountry={(country) => onPlan({ ...plan, country })}
          />
        </li>
      </ul>
    </Card>
  );
}

type CountryOfNumbersProps = {
  country: string | null;
  suggested: string | null;
  unassignable: number;
  onCountry: (country: string | null) => void;
};

/** Asks for the country of national numbers; warns of those that the check could not assign. */
function CountryOfNumbers({ country, suggested, unassignable, onCountry }: CountryOfNumbersProps) {
  const own = useSession().user?.default_country ?? null;
  const from = suggested === null ? '' : `Most full numbers of the file are of ${countryName(suggested)}. `;
  return (
    <div className="grid gap-2">
      <Field
        label="Country of numbers without a calling code"
        hint={`${from}Full numbers stand as they are, and a country that a row names goes first.`}
      >
        {(control) => (
          <CountrySelect
            {...control}
            country={country}
            none={own === null ? 'No country' : `${countryName(own)}, your default country`}
            onCountry={onCountry}
          />
        )}
      </Field>
      {unassignable > 0 && (
        <p role="status" className="text-13 text-pretty text-yellow-ink">
          {unassignable === 1 ? '1 number is' : `${unassignable.toLocaleString('en')} numbers are`} not assignable.
          {' Choose the right country and check again, or import them as they are: they stay marked as not valid.'}
        </p>
      )}
    </div>
  );
}

const ownKinds: ReadonlyMap<string, string> = new Map([
  ['email', 'email addresses'],
  ['language', 'a language'],
  ['timezone', 'a time zone'],
  ['external_id', 'an id'],
]);

function kindOf(field: string | null, type: ColumnType): string {
  if (field?.startsWith('topics.') === true) return 'yes or no';
  return ownKinds.get(field ?? '') ?? (columnTypeLabels.get(type) ?? type).toLowerCase();
}

type ColumnNoteProps = { column: ImportColumn; isCustom: boolean; type: ColumnType; isChecked: boolean };

/** How many cells of a column the check could not read, or that its dates need an order. */
function ColumnNote({ column, isCustom, type, isChecked }: ColumnNoteProps) {
  const { unread_cells: unread, samples, field } = column;
  if (isChecked && unread > 0) {
    if (field === 'phone') return null;
    const kind = kindOf(field, type);
    const cells = `${unread.toLocaleString('en')} ${unread === 1 ? 'cell does' : 'cells do'} not read as ${kind}`;
    return <p className="text-13 text-pretty text-yellow-ink">{cells}. The contacts are kept without them.</p>;
  }
  if (!isCustom || type !== 'text' || !isOrderUnknown(samples)) return null;
  return (
    <p className="text-13 text-pretty text-yellow-ink">
      These look like dates. Choose their order as the type, so that time conditions find them.
    </p>
  );
}
