import { Columns3, RotateCcw } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { CheckInput } from '../form/checkbox.tsx';
import { Button } from '../ui/button.tsx';
import type { ChosenColumns } from './use-columns.ts';
import { hasPart } from '#web/shared/fold-text.ts';

/** Which columns a table shows. */
export function ColumnChooser({ choices, isChanged, toggle, reset }: ChosenColumns['chooser']) {
  const [text, setText] = useState('');
  const found = choices.filter(({ header }) => hasPart(header, text));
  return (
    <Popover.Root onOpenChange={() => setText('')}>
      <Popover.Trigger asChild>
        <Button size="small" icon={<Columns3 aria-hidden="true" className="size-4" />} className="max-[720px]:hidden">
          Columns
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Columns"
          className="z-60 w-64 animate-fade-in rounded-base bg-raised p-1 shadow-popover"
        >
          {choices.length > 8 && (
            <input
              type="search"
              aria-label="Find a column"
              placeholder="Find a column"
              value={text}
              onChange={({ target }) => setText(target.value)}
              className="mb-1 h-(--control-small) w-full rounded-small border border-control bg-surface px-2.5 text-13"
            />
          )}
          <ul className="max-h-72 overflow-y-auto">
            {found.map(({ id, header, isShown }) => (
              <li key={id} className="rounded-small px-2 py-1.5 text-13 hover:bg-hover">
                <CheckInput label={header} checked={isShown} onChange={() => toggle(id)} />
              </li>
            ))}
          </ul>
          {found.length === 0 && <p className="px-2 py-2 text-13 text-muted">No column of that name</p>}
          <div className="mt-1 border-t pt-1">
            <Button
              variant="ghost"
              size="small"
              disabled={!isChanged}
              icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
              onClick={reset}
            >
              Reset
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
