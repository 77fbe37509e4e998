import { BareCheckInput } from '#web/shared/form/checkbox.tsx';
import type { Column } from '#web/shared/table/data-table.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import type { Contact } from './csv/contact.ts';
import { problemReasons } from './row-state.ts';
import { isSent, type BulkSendState } from './run/bulk-send.ts';

type ColumnsInput = {
  state: BulkSendState;
  /** The row whose checkbox the Tab key reaches. */
  activeRow: number | undefined;
  isLocked: boolean;
  onSelect: (index: number, isSelected: boolean) => void;
};

/** A row of the table is its place in the upload. */
export function rowColumns({ state, activeRow, isLocked, onSelect }: ColumnsInput): Column<number>[] {
  const contactAt = (index: number) => state.upload?.contacts[index];
  return [
    {
      id: 'selected',
      header: 'Selected',
      quietHeader: true,
      width: '3.25rem',
      onCard: 'actions',
      cell: (index) => (
        <SelectBox
          row={contactAt(index)?.row ?? index + 1}
          isSelected={state.selected.has(index)}
          isReachable={index === activeRow}
          isLocked={isLocked || isSent(state, index)}
          onSelect={(isSelected) => onSelect(index, isSelected)}
        />
      ),
    },
    {
      id: 'row',
      header: 'Row',
      width: '4.5rem',
      align: 'right',
      onCard: 'hidden',
      cell: (index) => <span className="text-muted">{contactAt(index)?.row.toLocaleString('en')}</span>,
    },
    {
      id: 'name',
      header: 'Name',
      onCard: 'title',
      cell: (index) => <bdi className="font-medium">{contactAt(index)?.name || '–'}</bdi>,
    },
    {
      id: 'phone',
      header: 'Phone',
      width: '16rem',
      cell: (index) => <PhoneCell contact={contactAt(index)} error={errorAt(state, index)} />,
    },
    {
      id: 'shop',
      header: 'Shop',
      cell: (index) => <bdi className="text-muted">{contactAt(index)?.shop || '–'}</bdi>,
    },
    {
      id: 'status',
      header: 'Status',
      width: '7rem',
      onCard: 'badge',
      cell: (index) => <RowStatus state={state} index={index} />,
    },
  ];
}

type SelectBoxProps = {
  row: number;
  isSelected: boolean;
  isReachable: boolean;
  isLocked: boolean;
  onSelect: (isSelected: boolean) => void;
};

/** Locked it keeps the focus: the keyboard still moves through the rows. */
function SelectBox({ row, isSelected, isReachable, isLocked, onSelect }: SelectBoxProps) {
  return (
    <BareCheckInput
      label={`Select row ${row}`}
      checked={isSelected}
      tabIndex={isReachable ? 0 : -1}
      aria-disabled={isLocked || undefined}
      onChange={({ target }) => !isLocked && onSelect(target.checked)}
    />
  );
}

function PhoneCell({ contact, error }: { contact: Contact | undefined; error: string | undefined }) {
  if (contact === undefined) return null;
  return (
    <>
      {contact.problem === undefined ? (
        <PhoneText digits={contact.to} />
      ) : (
        <span className="tabular-nums">
          {contact.country_code} {contact.phone}
        </span>
      )}
      {error !== undefined && (
        <span title={error} className="block truncate text-12 leading-3.5 text-red-ink">
          {error}
          {contact.problem !== undefined && <span>: {problemReasons[contact.problem]}</span>}
        </span>
      )}
    </>
  );
}

function errorAt({ upload, outcomes }: BulkSendState, index: number): string | undefined {
  if (upload?.contacts[index]?.problem !== undefined) return 'Invalid number';
  const outcome = outcomes.get(index);
  return outcome?.status === 'failed' ? outcome.error : undefined;
}

function RowStatus({ state, index }: { state: BulkSendState; index: number }) {
  if (state.upload?.contacts[index]?.problem !== undefined) return <Badge color="yellow">Invalid</Badge>;
  switch (state.outcomes.get(index)?.status) {
    case 'sending':
      return <Badge color="blue">Sending</Badge>;
    case 'sent':
      return <Badge color="blue">Sent</Badge>;
    case 'failed':
      return <Badge color="red">Failed</Badge>;
    case undefined:
      return state.selected.has(index) ? <Badge color="gray">Waiting</Badge> : <span className="text-muted">–</span>;
  }
}
