import { clsx } from 'clsx';
import { CircleCheck } from 'lucide-react';
import { officialWebhookFields } from '#contracts/official-webhooks.ts';
import type { CloudSetup } from '#contracts/phone-numbers.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Spinner } from '#web/shared/ui/spinner.tsx';

/** Where Meta calls back: what to enter there, and whether it has; once webhooks come, the fields make room. */
export function WebhookCard({ setup }: { setup: CloudSetup }) {
  const isDone = setup.webhook_seen_at !== null;
  return (
    <Card
      title="Webhook"
      description={
        isDone
          ? 'Meta calls back here. Enter both lines again if you move to another app.'
          : 'Copy both lines to Configuration in your Meta app, press Verify there, then tick these fields.'
      }
    >
      <div className={clsx('grid gap-x-6 gap-y-4', !isDone && 'lg:grid-cols-2')}>
        <div className={clsx('grid content-start gap-4', isDone && 'sm:grid-cols-2')}>
          <CopyField
            label="Callback URL"
            value={setup.callback_url}
            texts={{ copied: 'Callback URL copied to clipboard', failed: 'Failed to copy callback URL' }}
          />
          <CopyField
            label="Verify token"
            secret
            value={setup.verify_token}
            texts={{ copied: 'Verify token copied to clipboard', failed: 'Failed to copy verify token' }}
          />
          <Progress setup={setup} />
        </div>
        {isDone ? (
          <details className="text-13">
            <summary className="w-fit cursor-pointer rounded-small text-muted hover:text-ink">Fields to tick</summary>
            <Fields setup={setup} className="mt-3 sm:grid-cols-2 2xl:grid-cols-3" />
          </details>
        ) : (
          <div>
            <p className="mb-2 text-13 font-medium">Tick these fields</p>
            <Fields setup={setup} className="sm:grid-cols-2 lg:grid-cols-1 2xl:grid-cols-2" />
          </div>
        )}
      </div>
    </Card>
  );
}

function Fields({ setup, className }: { setup: CloudSetup; className: string }) {
  const isShared = setup.facts?.is_shared === true;
  return (
    <ul aria-label="Fields to tick" className={clsx('grid gap-x-4 gap-y-2 text-13', className)}>
      {officialWebhookFields
        .filter(({ isOfBusinessApp }) => isShared || isOfBusinessApp !== true)
        .map(({ field, use }) => (
          <li key={field} className="min-w-0">
            <code className="font-mono wrap-anywhere">{field}</code>
            <span className="block text-12 text-muted">{use}</span>
          </li>
        ))}
    </ul>
  );
}

function Progress({ setup: { webhook_verified_at: verifiedAt, webhook_seen_at: seenAt } }: { setup: CloudSetup }) {
  return (
    <div role="status" className="grid content-start gap-2 text-13">
      {verifiedAt === null ? (
        <Waiting>Waiting for Meta to verify the callback URL</Waiting>
      ) : (
        <Done>
          Verified by Meta <RelativeTime at={verifiedAt} />
        </Done>
      )}
      <WebhookSeen at={seenAt} />
    </div>
  );
}

export function WebhookSeen({ at }: { at: string | null }) {
  if (at === null) return <Waiting>No webhook yet: write to the number from another phone</Waiting>;
  return (
    <Done>
      Last webhook <RelativeTime at={at} />
    </Done>
  );
}

function Waiting({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-2 text-muted">
      <Spinner />
      {children}
    </p>
  );
}

function Done({ children }: { children: React.ReactNode }) {
  return (
    <p className="flex items-center gap-2">
      <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-green-ink" />
      <span>{children}</span>
    </p>
  );
}
