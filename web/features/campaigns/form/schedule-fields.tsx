import { useWatch } from 'react-hook-form';
import { Select } from '#web/shared/form/select.tsx';
import { DateTimeField } from '#web/shared/form/date/date-time-field.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { formatDateTime } from '#web/shared/time-format.ts';
import { currentZoneName, ownTimeZone } from '#web/shared/time-zones.ts';
import type { CampaignFormOf } from './campaign-form.ts';
import type { CampaignLocks } from './campaign-locks.ts';
import { toInstant } from './zoned-time.ts';

type ScheduleFieldsProps = { form: CampaignFormOf; locks: CampaignLocks; timezone: string };

/** When it starts and how fast it goes: at once and as fast as it can, unless somebody wants otherwise. */
export function ScheduleFields({ form, locks, timezone }: ScheduleFieldsProps) {
  const [start, pace, when] = useWatch({ control: form.control, name: ['start', 'pace', 'when'] });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2">
      <div className="grid gap-3">
        <Select
          form={form}
          name="start"
          label="Start"
          disabled={locks.start !== undefined}
          hint={locks.start?.reason}
          options={[
            { value: 'now', label: 'Now' },
            { value: 'later', label: 'At a date and time' },
          ]}
        />
        {start === 'later' && (
          <DateTimeField
            form={form}
            name="when"
            label="Date and time"
            disabled={locks.start !== undefined}
            timeZone={timezone}
            hint={<ZoneHint when={when} timezone={timezone} />}
          />
        )}
      </div>
      <div className="grid gap-3">
        <Select
          form={form}
          name="pace"
          label="Pace"
          disabled={locks.pace !== undefined}
          hint={locks.pace?.reason}
          options={[
            { value: 'fast', label: 'As fast as the phones allow' },
            { value: 'spread', label: 'Spread over time' },
          ]}
        />
        {pace === 'spread' && <SpreadFields form={form} isLocked={locks.pace !== undefined} />}
      </div>
      <Select
        form={form}
        name="recheck"
        label="If someone leaves the segment while waiting"
        disabled={locks.message !== undefined}
        options={[
          { value: 'late', label: 'Skip them after an hour' },
          { value: 'always', label: 'Always skip them' },
          { value: 'never', label: 'Send anyway' },
        ]}
        className="sm:col-span-2"
      />
    </div>
  );
}

/** The zone whose clocks are meant, and the time on the reader's own where that differs. */
function ZoneHint({ when, timezone }: { when: string; timezone: string }) {
  const zone = currentZoneName(timezone);
  const instant = zone === ownTimeZone() ? undefined : toInstant(when, timezone);
  const own = instant === undefined ? undefined : formatDateTime(instant);
  return (
    <>
      Time zone: {zone}
      {own !== undefined && ` · ${own} where you are`}
    </>
  );
}

function SpreadFields({ form, isLocked }: { form: CampaignFormOf; isLocked: boolean }) {
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <TextField form={form} name="duration" label="Spread over" numeric min={1} disabled={isLocked} />
      <Select
        form={form}
        name="unit"
        label="Unit"
        disabled={isLocked}
        options={[
          { value: 'minutes', label: 'minutes' },
          { value: 'hours', label: 'hours' },
        ]}
      />
    </div>
  );
}
