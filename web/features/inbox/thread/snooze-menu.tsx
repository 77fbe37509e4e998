import { AlarmClock, AlarmClockOff, CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import type { ConversationDetail } from '#contracts/conversations.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { DateTimeField } from '#web/shared/form/date/date-time-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { snoozeTimes } from './snooze-times.ts';

type SnoozeProps = { conversation: ConversationDetail; onSnooze: (until: Date | null) => void };

/** Puts a conversation aside until a time that is offered or chosen; brings back one that is. */
export function SnoozeMenu({ conversation: { snoozed_until: until }, onSnooze }: SnoozeProps) {
  const [isChoosing, setChoosing] = useState(false);
  const [openedAt, setOpenedAt] = useState(() => new Date());
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label="Snooze"
            icon={<AlarmClock className="size-4" />}
            onPointerDown={() => setOpenedAt(new Date())}
            onKeyDown={() => setOpenedAt(new Date())}
          />
        }
        items={[
          ...snoozeTimes(openedAt).map(({ label, at }) => ({
            label,
            icon: <AlarmClock className="size-4" />,
            onSelect: () => onSnooze(at),
          })),
          'separator',
          {
            label: 'Choose a day and time…',
            icon: <CalendarClock className="size-4" />,
            onSelect: () => setChoosing(true),
          },
          ...(until === null
            ? []
            : [
                { label: 'Bring back now', icon: <AlarmClockOff className="size-4" />, onSelect: () => onSnooze(null) },
              ]),
        ]}
      />
      {isChoosing && <SnoozeDialog onClose={() => setChoosing(false)} onSnooze={onSnooze} />}
    </>
  );
}

const Form = z.object({
  until: z
    .string()
    .min(1, 'Choose a day and time')
    .refine((text) => text === '' || Date.parse(text) > Date.now(), 'Choose a time that is to come'),
});

function SnoozeDialog({ onClose, onSnooze }: Pick<SnoozeProps, 'onSnooze'> & { onClose: () => void }) {
  const form = useZodForm(Form, { until: '' });
  return (
    <FormDialog
      onClose={onClose}
      title="Snooze until"
      description="It comes back then, or as soon as the person writes."
      form={form}
      onSubmit={async ({ until }) => {
        onSnooze(new Date(until));
        onClose();
      }}
      submitLabel="Snooze"
      busyLabel="Snoozing..."
      failureText="The conversation was not changed"
    >
      <DateTimeField form={form} name="until" label="Day and time" />
    </FormDialog>
  );
}

/** Above the messages of one that is put aside. */
export function SnoozedNotice({ conversation: { snoozed_until: until }, onSnooze }: SnoozeProps) {
  if (until === null) return null;
  return (
    <p className="mx-4 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-base bg-sunken px-3 py-2 text-13 text-muted">
      <AlarmClock aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-48 text-pretty">
        Snoozed until {formatDateTime(until)}, or until the person writes.
      </span>
      <Button needs="messages:send" size="small" onClick={() => onSnooze(null)}>
        Bring back
      </Button>
    </p>
  );
}
