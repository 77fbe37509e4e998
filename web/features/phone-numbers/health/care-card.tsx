import { useState } from 'react';
import type { PhoneHealth } from '#contracts/phone-health.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { SwitchInput } from '#web/shared/form/switch.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { olderAccountHint, protectionHint, protectionOff, quietHoursHint, quietHoursOff } from './protection-words.ts';
import { FirstContactsChoice } from './first-contacts-choice.tsx';
import { StickySwitch } from './sticky-switch.tsx';
import { useProtectPhone } from './use-protect-phone.ts';
import { Warning } from './warning.tsx';

/** The switches of a phone's protection; each works at once, and what takes protection away is asked for once more. */
export function CareCard({ phone, health }: { phone: PhoneNumber; health: PhoneHealth }) {
  const [asked, setAsked] = useState<'protection' | 'quiet_hours'>();
  const protect = useProtectPhone(phone);
  const isBusy = protect.isPending;
  return (
    <Card title="Care" flush>
      <div className="divide-y">
        <div className="grid gap-2 px-4 py-4 sm:px-5">
          <SwitchInput
            label="Protection"
            hint={protectionHint}
            checked={health.is_protected}
            needs="phones:write"
            busy={isBusy}
            onChange={({ target }) =>
              target.checked ? protect.mutate({ is_protected: true }) : setAsked('protection')
            }
          />
          {!health.is_protected && <Warning text={protectionOff} />}
        </div>
        <StickySwitch projectId={phone.project_id} />
        <FirstContactsChoice projectId={phone.project_id} />
        <div className="grid gap-2 px-4 py-4 sm:px-5">
          <SwitchInput
            label="Quiet hours"
            hint={quietHoursHint}
            checked={health.quiet_hours}
            needs="phones:write"
            busy={isBusy}
            onChange={({ target }) =>
              target.checked ? protect.mutate({ quiet_hours: true }) : setAsked('quiet_hours')
            }
          />
          {!health.quiet_hours && <Warning text={quietHoursOff} />}
        </div>
        <div className="px-4 py-4 sm:px-5">
          <SwitchInput
            label="Older account"
            hint={olderAccountHint}
            checked={health.older_account}
            needs="phones:write"
            busy={isBusy}
            onChange={({ target }) => protect.mutate({ older_account: target.checked })}
          />
        </div>
      </div>
      <ConfirmDialog
        isOpen={asked === 'protection'}
        onClose={() => setAsked(undefined)}
        title="Switch protection off?"
        confirmLabel="Switch off"
        busyLabel="Switching off..."
        onConfirm={async () => void (await protect.mutateAsync({ is_protected: false }))}
      >
        {protectionOff}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asked === 'quiet_hours'}
        onClose={() => setAsked(undefined)}
        title="Write to strangers at night?"
        confirmLabel="Switch off"
        busyLabel="Switching off..."
        onConfirm={async () => void (await protect.mutateAsync({ quiet_hours: false }))}
      >
        {quietHoursOff}
      </ConfirmDialog>
    </Card>
  );
}
