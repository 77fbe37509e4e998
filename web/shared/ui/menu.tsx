import { clsx } from 'clsx';
import { DropdownMenu } from 'radix-ui';
import { useRef, type ReactElement, type ReactNode } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../session.ts';

export type MenuItem =
  | {
      label: string;
      icon?: ReactNode;
      onSelect: () => void;
      danger?: boolean;
      disabled?: boolean;
      /** Left out for those whose role lacks it. */
      needs?: Permission;
    }
  | 'separator';

type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement;
  items: readonly MenuItem[];
};

/** Actions of a row or a page behind one button; arrow keys, Home, End, Escape and typing work. */
export function Menu({ trigger, items }: MenuProps) {
  const chosen = useRef<() => void>(undefined);
  const can = useCan();
  const allowed = tidied(items.filter((item) => item === 'separator' || item.needs === undefined || can(item.needs)));

  /** Acts once the button has the focus again: a dialog that opens then knows where to return it. */
  function handleClosed(): void {
    const action = chosen.current;
    chosen.current = undefined;
    if (action !== undefined) queueMicrotask(action);
  }

  if (allowed.length === 0) return null;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={handleClosed}
          className="z-60 max-h-(--radix-dropdown-menu-content-available-height) max-w-80 min-w-50 animate-fade-in overflow-y-auto rounded-base bg-raised p-1 shadow-popover"
        >
          {allowed.map((item, index) =>
            item === 'separator' ? (
              <DropdownMenu.Separator key={`separator-${index}`} className="-mx-1 my-1 border-t" />
            ) : (
              <DropdownMenu.Item
                key={keyOf(item, allowed.slice(0, index))}
                disabled={item.disabled === true}
                onSelect={() => {
                  chosen.current = item.onSelect;
                }}
                className={clsx(
                  'flex h-(--control-small) cursor-pointer items-center gap-2.5 rounded-small px-2 outline-none select-none',
                  'data-disabled:cursor-not-allowed data-disabled:text-faint data-highlighted:bg-hover',
                  item.danger === true ? 'text-red-ink' : '[&>svg]:text-muted',
                )}
              >
                {item.icon}
                <bdi className="truncate">{item.label}</bdi>
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Things that people name may have the same name. */
const keyOf = ({ label }: Exclude<MenuItem, 'separator'>, before: readonly MenuItem[]) =>
  `${label} ${before.filter((item) => item !== 'separator' && item.label === label).length}`;

/** Without separators that part nothing. */
const tidied = (items: readonly MenuItem[]) =>
  items.filter(
    (item, index) =>
      item !== 'separator' ||
      (index > 0 && items[index - 1] !== 'separator' && items.slice(index).some((each) => each !== 'separator')),
  );
