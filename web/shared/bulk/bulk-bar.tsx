import { useState, type ReactNode } from 'react';
import type { BulkActionName, BulkResource } from '#contracts/bulk-actions.ts';
import { SelectionBar } from '../table/selection-bar.tsx';
import type { Selection } from '../table/use-selection.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { countOf } from './bulk-words.ts';
import type { Bulk } from './use-bulk.tsx';

export type BulkChoice = {
  action: BulkActionName;
  /** 'Pause' */
  label: string;
  icon: ReactNode;
  danger?: boolean;
  /** The consequence, to be confirmed first; without it, the action begins at once. Whether it can be undone is added. */
  consequence?: string;
};

type BulkBarProps<Row> = {
  resource: BulkResource;
  /** 'campaigns' */
  noun: string;
  choices: readonly BulkChoice[];
  selection: Selection<Row>;
  total: number | undefined;
  bulk: Bulk;
};

const mostDelayed = 100;

/** For days: what it changed is kept. */
const canUndoLater = (resource: BulkResource, action: BulkActionName) =>
  resource === 'profiles' || !['delete', 'cancel', 'disconnect'].includes(action);

/** The actions on the chosen rows of a list. */
export function BulkBar<Row>({ resource, noun, choices, selection, total, bulk }: BulkBarProps<Row>) {
  const [asked, setAsked] = useState<BulkChoice & { text: string }>();

  function choose(choice: BulkChoice): void {
    if (choice.consequence === undefined) void bulk.start(choice.action).catch(() => undefined);
    else setAsked({ ...choice, text: `${choice.label} ${countOf(resource, selection.count)}` });
  }

  const isFinal = asked !== undefined && !canUndoLater(resource, asked.action);
  const isDelayed = isFinal && !selection.isAll && selection.count <= mostDelayed;
  const undoWords = isFinal && (isDelayed ? 'You can undo it right after.' : 'This cannot be undone.');
  return (
    <>
      <SelectionBar selection={selection} total={total} noun={noun}>
        {choices.map((choice) => (
          <Button
            key={choice.action}
            size="small"
            {...(choice.danger === true && { variant: 'ghost-danger' })}
            icon={
              <span aria-hidden="true" className="[&>svg]:size-4">
                {choice.icon}
              </span>
            }
            onClick={() => choose(choice)}
          >
            {choice.label}
          </Button>
        ))}
      </SelectionBar>
      {asked !== undefined && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsked(undefined)}
          title={`${asked.text}?`}
          confirmLabel={asked.text}
          busyLabel="Starting..."
          danger={asked.danger === true}
          {...(asked.action === 'cancel' && { cancelLabel: 'Keep them' })}
          onConfirm={() => bulk.start(asked.action, { isDelayed })}
        >
          {asked.consequence} {undoWords}
        </ConfirmDialog>
      )}
    </>
  );
}
