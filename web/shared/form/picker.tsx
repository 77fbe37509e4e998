import { clsx } from 'clsx';
import { ChevronsUpDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState, type ReactNode, type Ref } from 'react';
import { controlClass } from './control-class.ts';

type PickerProps = {
  id?: string;
  'aria-invalid'?: true | undefined;
  'aria-describedby'?: string | undefined;
  /** The chosen value in words; undefined: none yet. */
  value: string | undefined;
  placeholder: string;
  disabled?: boolean;
  onBlur?: () => void;
  ref?: Ref<HTMLButtonElement>;
  /** The choices: a search that the server answers. */
  children: (close: () => void) => ReactNode;
};

/** Looks as a select does, and opens a search: for what may be thousands. */
export function Picker({ value, placeholder, disabled = false, onBlur, ref, children, ...control }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  const contentId = useId();
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button
          {...control}
          ref={ref}
          type="button"
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          aria-controls={contentId}
          disabled={disabled}
          onBlur={onBlur}
          className={clsx(controlClass, 'flex h-(--control) min-w-0 items-center gap-2 pr-2.5 pl-3 text-left')}
        >
          <span dir="auto" className={clsx('min-w-0 flex-1 truncate text-left', value === undefined && 'text-faint')}>
            {value ?? placeholder}
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-faint" />
        </button>
      </Popover.Trigger>
      {/* Beside the field, not in a portal: what belongs to a dialog stays in it. */}
      <Popover.Content
        id={contentId}
        aria-label="Choices"
        align="start"
        sideOffset={4}
        collisionPadding={8}
        className="z-60 w-[max(var(--radix-popover-trigger-width),16rem)] max-w-[calc(100vw-2rem)] animate-fade-in rounded-base bg-raised p-1.5 shadow-popover"
      >
        {children(() => setOpen(false))}
      </Popover.Content>
    </Popover.Root>
  );
}
