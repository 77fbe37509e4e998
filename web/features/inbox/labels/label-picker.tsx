import { Popover } from 'radix-ui';
import { useState, type ReactElement } from 'react';
import { LabelList } from './label-list.tsx';
import { LabelsDialog } from './labels-dialog.tsx';

type LabelPickerProps = {
  /** The button that opens it. */
  trigger: ReactElement;
  projectId: number;
  chosen: readonly string[];
  onChoose: (name: string) => void;
  canCreate?: boolean;
  /** Closes once one is chosen. */
  isSingle?: boolean;
};

export function LabelPicker({ trigger, isSingle = false, onChoose, ...list }: LabelPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [isManaging, setManaging] = useState(false);
  return (
    <>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger asChild>{trigger}</Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            align="start"
            sideOffset={4}
            collisionPadding={8}
            aria-label="Labels"
            className="z-60 w-64 max-w-[calc(100vw-1rem)] animate-fade-in rounded-base bg-raised p-1.5 shadow-popover"
          >
            <LabelList
              {...list}
              onChoose={(name) => {
                onChoose(name);
                if (isSingle) setOpen(false);
              }}
              onManage={() => {
                setOpen(false);
                setManaging(true);
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {isManaging && <LabelsDialog projectId={list.projectId} onClose={() => setManaging(false)} />}
    </>
  );
}
