import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecurityEvent, SecurityEventType } from '#contracts/security-events.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { deviceName } from './device-name.ts';
import { securityEventsQuery } from './queries.ts';

const words: Readonly<Record<SecurityEventType, string>> = {
  signed_up: 'Account created',
  signed_in: 'Signed in',
  sign_in_failed: 'Failed sign-in',
  locked_out: 'Sign-in locked after too many failures',
  signed_out: 'Signed out',
  session_ended: 'Another browser was logged out',
  signed_out_everywhere: 'Logged out everywhere',
  password_reset_requested: 'Password reset asked for',
  password_reset: 'Password reset',
  password_changed: 'Password changed',
  api_key_rotated: 'API key replaced',
  api_key_shown: 'API key shown to a session from another network',
  account_key_created: 'Key of the account made',
  account_key_deleted: 'Key of the account deleted',
  auth_key_rotated: 'Auth key of a project replaced',
  project_key_created: 'Key of a project made',
  project_key_rotated: 'Key of a project replaced',
  project_key_deleted: 'Key of a project deleted',
  webhook_secret_rotated: 'Webhook secret of a project replaced',
  webhook_endpoint_added: 'Webhook endpoint added',
  webhook_endpoint_changed: 'Webhook URL changed',
  webhook_endpoint_deleted: 'Webhook endpoint removed',
  proxy_changed: 'Proxy of a phone number changed',
  data_exported: 'Data exported',
  email_confirmed: 'Email address confirmed',
  email_change_requested: 'New email address asked for',
  email_changed: 'Email address changed',
  two_factor_enabled: 'Two-step sign-in turned on',
  two_factor_removed: 'Two-step sign-in turned off',
  second_factor_failed: 'Wrong second factor',
  recovery_code_used: 'Recovery code used',
  recovery_codes_replaced: 'New recovery codes made',
  retention_changed: 'How long messages are kept changed',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  identity_linked: 'Linked to an identity provider',
  identity_unlinked: 'Unlinked from an identity provider',
  two_factor_demanded: 'A second factor is asked of everybody',
  two_factor_not_demanded: 'A second factor is not asked of everybody any more',
};

const shownAtFirst = 8;

/** Events about the account's keys, password and sign-in in the last 90 days. */
export function SecurityEventsCard() {
  const events = useInfiniteQuery(securityEventsQuery());
  const [isWhole, setWhole] = useState(false);
  const all = events.data?.pages.flatMap(({ data }) => data) ?? [];
  const shown = isWhole ? all : all.slice(0, shownAtFirst);
  return (
    <Card
      id="security-events"
      title="Security events"
      description="The last 90 days. If something here was not you, reset your password."
    >
      {events.isPending && <Skeleton className="h-24" />}
      {events.isError && (
        <ErrorPanel title="Failed to load the security events" onRetry={() => void events.refetch()} />
      )}
      {events.isSuccess && all.length === 0 && <p className="text-muted">Nothing yet.</p>}
      <ul className="divide-y">
        {shown.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
      {shown.length < all.length && (
        <Button size="small" className="mt-3" onClick={() => setWhole(true)}>
          Show more
        </Button>
      )}
      {isWhole && events.hasNextPage && (
        <Button
          size="small"
          className="mt-3"
          busy={events.isFetchingNextPage && 'Loading...'}
          onClick={() => void events.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </Card>
  );
}

function EventRow({ event }: { event: SecurityEvent }) {
  const { type, created_at: createdAt, ip, user_agent: userAgent, detail, repeats, last_at: lastAt } = event;
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere">
          {words[type]}
          {detail !== null && <span className="text-muted"> · {detail}</span>}
          {repeats > 0 && <span className="text-muted"> · and {repeats.toLocaleString()} times more</span>}
        </p>
        <p className="text-13 text-muted">
          {deviceName(userAgent)}
          {ip !== null && ` · ${ip}`}
        </p>
      </div>
      <span className="text-13 text-muted">
        <DateTime at={lastAt ?? createdAt} />
      </span>
    </li>
  );
}
