import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { FlaskConical, Smartphone, type LucideIcon } from 'lucide-react';
import type { z } from 'zod';
import type { ConnectorName } from '#contracts/connectors.ts';
import type { newPhoneFields } from '#contracts/phone-numbers.ts';
import { paths } from '#web/shared/paths.ts';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';
import { useCan } from '#web/shared/session.ts';
import { Allowed } from '#web/shared/ui/allowed.tsx';
import { connectingNeeds } from './changes-need.ts';

type Choice = { value: ConnectorName; label: string; hint: string; icon: LucideIcon };

const choices: readonly Choice[] = [
  { value: 'whatsapp', label: 'WhatsApp', hint: 'Sends from your own phone, linked by a QR code.', icon: Smartphone },
  { value: 'sandbox', label: 'Sandbox', hint: 'Simulates every step; nobody receives anything', icon: FlaskConical },
];

/** How the phone reaches its network; fixed once it is added. */
type ConnectorChoiceProps = { form: FormOf<z.input<typeof newPhoneFields>>; projectId: number };

export function ConnectorChoice({ form, projectId }: ConnectorChoiceProps) {
  const can = useCan();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">Connects through</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices
          .filter(({ value }) => can(connectingNeeds(value)))
          .map(({ value, label, hint, icon: Icon }) => (
            <label
              key={value}
              className={clsx(
                'grid cursor-pointer grid-cols-[auto_1fr] content-start gap-x-2.5 rounded-base border border-control p-3',
                'hover:bg-hover has-checked:border-accent has-checked:bg-accent-subtle',
                'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              )}
            >
              <input type="radio" value={value} {...form.register('connector')} className="sr-only" />
              <Icon aria-hidden="true" className="mt-0.5 size-4 text-muted" />
              <span className="font-medium">{label}</span>
              <span className="col-start-2 text-13 text-pretty text-muted">{hint}</span>
            </label>
          ))}
      </div>
      <Allowed needs="phones:write">
        <p className="text-13 text-muted">
          Or through the{' '}
          <Link
            to={paths.connectNumber}
            params={{ projectId: String(projectId) }}
            className="text-accent-ink underline"
          >
            official WhatsApp API
          </Link>
          , with a business account at Meta.
        </p>
      </Allowed>
    </fieldset>
  );
}
