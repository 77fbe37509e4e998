import { Link } from '@tanstack/react-router';
import { Smartphone, Unplug, Webhook } from 'lucide-react';
import { isSimulated } from '#contracts/connectors.ts';
import type { Project } from '#contracts/projects.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { paths } from '#web/shared/paths.ts';
import { useConnectPhone } from '#web/shared/phone-link/use-connect-phone.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { AlertRow } from './alert-row.tsx';
import type { AttentionItem } from './attention-items.ts';
import { AttentionRow } from './attention-row.tsx';
import { useAttention } from './use-attention.ts';

/** Lists obstacles to sending, and the owner's other alerts; nothing where all is well. */
export function AttentionCard({ projects }: { projects: readonly Project[] }) {
  const { items } = useAttention(projects);
  if (items.length === 0) return null;
  return (
    <Card flush title="Needs attention">
      <ul className="divide-y">
        {items.map((item) => (
          <li key={keyOf(item)}>
            <ItemRow item={item} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function keyOf(item: AttentionItem): string {
  if (item.kind === 'alert') return `alert-${item.alert.id}`;
  return `${item.kind}-${item.kind === 'phone' ? item.phone.id : item.project.id}`;
}

function ItemRow({ item }: { item: AttentionItem }) {
  switch (item.kind) {
    case 'sending':
      return <SendingRow project={item.project} />;
    case 'phone':
      return <PhoneRow item={item} />;
    case 'webhook-off':
      return <WebhookOffRow project={item.project} />;
    case 'webhook':
      return <WebhookRow item={item} />;
    case 'alert':
      return <AlertRow alert={item.alert} />;
  }
}

function SendingRow({ project: { id, name, sending } }: { project: Project }) {
  const isResting = sending.reason === 'sandbox_resting';
  return (
    <AttentionRow
      icon={Unplug}
      color="yellow"
      title={
        <>
          <bdi>{name}</bdi> cannot send now
        </>
      }
      action={
        <Link
          to={isResting ? paths.project : paths.phoneNumbers}
          params={{ projectId: String(id) }}
          className={buttonClass('secondary', 'small')}
        >
          {isResting ? 'Connect WhatsApp' : 'Phone numbers'}
          <span className="sr-only"> of {name}</span>
        </Link>
      }
    >
      {sending.message}
      {sending.until !== null && ` Until ${formatDateTime(sending.until)}.`}
    </AttentionRow>
  );
}

const phoneTexts = {
  disconnected: { state: 'is disconnected', reason: 'Nothing is sent from it until it is connected again.' },
  auth_failed: { state: 'could not sign in', reason: 'WhatsApp ended its link. Scan a code again.' },
  banned: { state: 'was banned by WhatsApp', reason: 'Nothing can be sent from it any more.' },
} as const;

function PhoneRow({ item: { phone, status } }: { item: Extract<AttentionItem, { kind: 'phone' }> }) {
  const format = usePhoneFormat();
  const connectSandbox = useConnectPhone(phone);
  const name = phone.name || format(phone.phone_number);
  const { state, reason } = phoneTexts[status];
  return (
    <AttentionRow
      icon={Smartphone}
      color={status === 'auth_failed' ? 'yellow' : 'red'}
      title={
        <>
          <bdi>{name}</bdi> {state}
        </>
      }
      action={
        isSimulated(phone.connector) ? (
          <Button
            size="small"
            busy={connectSandbox.isPending && 'Connecting...'}
            onClick={() => connectSandbox.mutate()}
          >
            Reconnect
            <span className="sr-only"> {name}</span>
          </Button>
        ) : (
          <Link
            to={paths.phoneNumbers}
            params={{ projectId: String(phone.project_id) }}
            className={buttonClass('secondary', 'small')}
          >
            {status === 'banned' ? 'See phone' : 'Reconnect'}
            <span className="sr-only"> {name}</span>
          </Link>
        )
      }
    >
      {phone.error ?? reason}
    </AttentionRow>
  );
}

function WebhookOffRow({ project }: { project: Project }) {
  return (
    <AttentionRow
      icon={Webhook}
      color="red"
      title={
        <>
          The webhook of <bdi>{project.name}</bdi> was switched off
        </>
      }
      action={
        <Link
          to={paths.project}
          params={{ projectId: String(project.id) }}
          className={buttonClass('secondary', 'small')}
        >
          See webhook
        </Link>
      }
    >
      {project.webhook_disabled_reason} Save the URL again to switch it on.
    </AttentionRow>
  );
}

function WebhookRow({ item: { project, health } }: { item: Extract<AttentionItem, { kind: 'webhook' }> }) {
  const { failures, failing_since: since, error } = health;
  return (
    <AttentionRow
      icon={Webhook}
      color="red"
      title={
        <>
          The webhook of <bdi>{project.name}</bdi> is failing
        </>
      }
      action={
        <Link
          to={paths.project}
          params={{ projectId: String(project.id) }}
          className={buttonClass('secondary', 'small')}
        >
          See deliveries
        </Link>
      }
    >
      {failures === 1 ? 'The last delivery failed' : `The last ${failures} deliveries failed, the first`}{' '}
      {since !== null && <RelativeTime at={since} />}
      {error !== null && `: ${error}`}
    </AttentionRow>
  );
}
