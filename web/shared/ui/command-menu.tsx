import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { handleListboxKey, steppedIndex } from './listbox-keys.ts';
import { ListboxOption } from './listbox-option.tsx';
import { Spinner } from './spinner.tsx';
import { useReturnFocus } from './use-return-focus.ts';

export type MenuCommand = {
  id: string;
  label: string;
  icon?: ReactNode;
  /** At the right: what tells it from others of the same name. */
  aside?: string | undefined;
};

export type CommandGroup<Command extends MenuCommand> = { label: string; commands: readonly Command[] };

type CommandMenuProps<Command extends MenuCommand> = {
  onClose: () => void;
  /** Names the dialog. */
  label: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  groups: readonly CommandGroup<Command>[];
  /** Told once the menu has closed and the focus is back where it was. */
  onChoose: (command: Command) => void;
  /** Names the search that is under way. */
  busy?: string | undefined;
  /** Under the commands: what could not be found out. */
  problem?: string | undefined;
  /** Shown where nothing matches. */
  empty: string;
};

/**
 * A single field over all commands; mount it to open it. Arrows choose, Enter takes, Escape closes; the focus stays in
 * the field throughout (the combobox pattern of the ARIA Authoring Practices).
 */
export function CommandMenu<Command extends MenuCommand>(props: CommandMenuProps<Command>) {
  const { onClose, label, placeholder, query, onQuery, groups, onChoose, busy, problem, empty } = props;
  const listId = useId();
  const { noteOpener, returnFocus } = useReturnFocus();
  const input = useRef<HTMLInputElement>(null);
  const chosen = useRef<Command>(undefined);
  const [isOpen, setOpen] = useState(true);
  const [activeId, setActiveId] = useState<string>();
  const commands = groups.flatMap((group) => group.commands);
  // The first is active until the arrows say otherwise, and again where the active one is no longer listed.
  const active = commands.find(({ id }) => id === activeId) ?? commands[0];

  function choose(command: Command): void {
    chosen.current = command;
    setOpen(false);
  }

  function move(step: 1 | -1): void {
    const index = active === undefined ? -1 : commands.indexOf(active);
    setActiveId(commands[steppedIndex(index, step, commands.length)]?.id);
  }

  function handleKeyDown(event: KeyboardEvent): void {
    handleListboxKey(event, { move, choose: active && (() => choose(active)) });
  }

  function handleClosed(event: Event): void {
    // In development React mounts everything twice, and Radix takes the first for a dialog that has closed.
    if (isOpen) return;
    returnFocus(event);
    onClose();
    const command = chosen.current;
    if (command !== undefined) queueMicrotask(() => onChoose(command));
  }

  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade-in bg-overlay p-3 sm:p-6 sm:pt-[12dvh]">
          <Dialog.Content
            aria-describedby={undefined}
            onOpenAutoFocus={(event) => {
              noteOpener();
              event.preventDefault();
              input.current?.focus();
            }}
            onCloseAutoFocus={handleClosed}
            className="mx-auto flex max-h-[min(28rem,calc(100dvh-1.5rem))] w-full max-w-150 animate-pop-in flex-col overflow-hidden rounded-large bg-raised shadow-dialog outline-none"
          >
            <Dialog.Title className="sr-only">{label}</Dialog.Title>
            <div className="flex items-center gap-3 border-b px-4">
              {busy === undefined ? (
                <Search aria-hidden="true" className="size-4 shrink-0 text-faint" />
              ) : (
                <Spinner className="text-faint" />
              )}
              <input
                ref={input}
                type="text"
                role="combobox"
                aria-label={label}
                aria-expanded
                aria-controls={listId}
                aria-autocomplete="list"
                aria-activedescendant={active === undefined ? undefined : optionId(listId, active)}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                enterKeyHint="go"
                placeholder={placeholder}
                value={query}
                onChange={({ target }) => {
                  onQuery(target.value);
                  setActiveId(undefined);
                }}
                onKeyDown={handleKeyDown}
                className="h-13 min-w-0 flex-1 bg-transparent text-16 outline-none"
              />
              <kbd className="rounded-small border px-1.5 py-0.5 text-12 text-muted max-sm:hidden">Esc</kbd>
            </div>
            <div role="listbox" id={listId} aria-label={label} className="min-h-0 scroll-py-2 overflow-y-auto p-2">
              {groups.map((group) => (
                <Group
                  key={group.label}
                  listId={listId}
                  group={group}
                  active={active}
                  onPoint={setActiveId}
                  onChoose={choose}
                />
              ))}
            </div>
            <Outcome count={commands.length} {...{ busy, problem, empty }} />
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const optionId = (listId: string, { id }: MenuCommand) => `${listId}-${id}`;

type GroupProps<Command extends MenuCommand> = {
  listId: string;
  group: CommandGroup<Command>;
  active: Command | undefined;
  onPoint: (id: string) => void;
  onChoose: (command: Command) => void;
};

function Group<Command extends MenuCommand>({ listId, group, active, onPoint, onChoose }: GroupProps<Command>) {
  const labelId = `${listId}-${group.label}`;
  return (
    <div role="group" aria-labelledby={labelId} className="not-first:mt-2">
      <p id={labelId} role="presentation" className="px-2.5 py-1 text-12 font-medium text-faint">
        {group.label}
      </p>
      {group.commands.map((command) => (
        <ListboxOption
          key={command.id}
          id={optionId(listId, command)}
          isActive={command === active}
          onPoint={() => onPoint(command.id)}
          onChoose={() => onChoose(command)}
          className="h-(--control) items-center gap-2.5 px-2.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
        >
          {command.icon}
          <span dir="auto" className="min-w-0 flex-1 truncate text-left">
            {command.label}
          </span>
          {command.aside !== undefined && (
            <bdi className="max-w-[45%] shrink-0 truncate text-13 text-muted tabular-nums">{command.aside}</bdi>
          )}
        </ListboxOption>
      ))}
    </div>
  );
}

type OutcomeProps = { count: number; busy: string | undefined; problem: string | undefined; empty: string };

/** States that the list cannot show, for eyes and ears; the length of the list, for ears alone. */
function Outcome({ count, busy, problem, empty }: OutcomeProps) {
  const text = busy ?? problem ?? (count === 0 ? empty : undefined);
  return (
    <div role="status" className="text-muted">
      {text === undefined ? (
        <span className="sr-only">{count === 1 ? '1 result' : `${count} results`}</span>
      ) : (
        <p className={count === 0 ? 'px-4 pt-6 pb-10 text-center' : 'border-t px-4.5 py-2 text-13'}>{text}</p>
      )}
    </div>
  );
}
