import { clsx } from 'clsx';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../session.ts';
import { Button, buttonClass } from '../ui/button.tsx';

/** Words in a table, an icon on a card. */
const wordOrIconClass = 'min-[720px]:[&>svg]:hidden max-[720px]:w-(--control-small) max-[720px]:px-0';
const wordClass = 'max-[720px]:sr-only';

/** The look of a row's action, for links. */
export const rowActionClass = clsx(buttonClass('ghost', 'small'), wordOrIconClass);

/** The buttons and links of one row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className="-my-1 -mr-3 flex items-center justify-end min-[720px]:gap-0.5">{children}</div>;
}

/** `subject` tells apart what sounds the same in every row: `Edit Germany`. */
export function RowActionText({ label, subject }: { label: string; subject: string }) {
  return (
    <span className={wordClass}>
      {label}
      <span className="sr-only"> {subject}</span>
    </span>
  );
}

type RowActionProps = {
  label: string;
  subject: string;
  icon: ReactNode;
  danger?: boolean;
  busy?: boolean;
  /** Nothing is shown to those whose role lacks it. */
  needs?: Permission | undefined;
  onClick: () => void;
};

export function RowAction({ label, subject, icon, danger = false, busy, needs, onClick }: RowActionProps) {
  const can = useCan();
  if (needs !== undefined && !can(needs)) return null;
  return (
    <Button
      variant={danger ? 'ghost-danger' : 'ghost'}
      size="small"
      icon={icon}
      busy={busy}
      title={label}
      onClick={onClick}
      className={wordOrIconClass}
    >
      <RowActionText label={label} subject={subject} />
    </Button>
  );
}

type NamedActionProps = Pick<RowActionProps, 'subject' | 'needs' | 'onClick'>;

export function EditAction(props: NamedActionProps) {
  return <RowAction label="Edit" icon={<Pencil aria-hidden="true" className="size-4" />} {...props} />;
}

export function DeleteAction(props: NamedActionProps) {
  return <RowAction danger label="Delete" icon={<Trash2 aria-hidden="true" className="size-4" />} {...props} />;
}
