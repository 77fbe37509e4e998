import { Link, useNavigate } from '@tanstack/react-router';
import { BadgeCheck, Ellipsis, Pencil, Smartphone, Trash2, Unplug } from 'lucide-react';
import { useState } from 'react';
import { connectorTraits } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { PhoneLinkDialog } from '#web/shared/phone-link/phone-link-dialog.tsx';
import { useConnectPhone } from '#web/shared/phone-link/use-connect-phone.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { HistoryLink } from '#web/shared/ui/history-link.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { FlaggedPhone } from '#web/shared/number-field/flagged-phone.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { DeletePhoneDialog } from './delete-phone-dialog.tsx';
import { DisconnectPhoneDialog } from './disconnect-phone-dialog.tsx';
import { EditPhoneDialog } from './edit-phone-dialog.tsx';
import { HealthBadge, shownHealth } from '#web/shared/ui/health-badge.tsx';
import { changesNeed } from './changes-need.ts';

type OpenDialog = 'link' | 'edit' | 'disconnect' | 'delete';

export function PhoneHeader({ phone }: { phone: PhoneNumber }) {
  const [open, setOpen] = useState<OpenDialog>();
  const connect = useConnectPhone(phone);
  const navigate = useNavigate();
  const format = usePhoneFormat();
  const title = phone.name || format(phone.phone_number);
  const params = { projectId: String(phone.project_id) };
  const close = () => setOpen(undefined);
  const needs = changesNeed(phone);
  const health = shownHealth(phone);
  const since = connectorTraits[phone.connector].link === 'qr' ? 'linked' : 'connected since';
  usePageName(title);
  return (
    <>
      <PageHeader
        title={title}
        badge={
          <>
            <StatusBadge kind="connection" status={phone.status} />
            {health !== null && <HealthBadge health={health} />}
            {phone.cloud !== null && <Tag icon={<BadgeCheck aria-hidden="true" />}>Official</Tag>}
          </>
        }
        description={
          <>
            {phone.name && <FlaggedPhone digits={phone.phone_number} />}
            {phone.connected_at !== null && (
              <>
                {phone.name ? ` · ${since} ` : `${since.charAt(0).toUpperCase()}${since.slice(1)} `}
                <time dateTime={phone.connected_at}>{formatLongDate(phone.connected_at)}</time>
              </>
            )}
          </>
        }
        actions={
          <>
            <Link to={paths.phoneNumbers} params={params} className={buttonClass()}>
              <Smartphone aria-hidden="true" className="size-4 max-sm:hidden" />
              All numbers
            </Link>
            {!phone.is_connected && connectorTraits[phone.connector].link === 'qr' && (
              <Button needs={needs} variant="primary" onClick={() => setOpen('link')}>
                Connect
              </Button>
            )}
            {!phone.is_connected && connectorTraits[phone.connector].link !== 'qr' && (
              <Button
                needs={needs}
                variant="primary"
                busy={connect.isPending && 'Connecting...'}
                onClick={() => connect.mutate()}
              >
                Connect
              </Button>
            )}
            <Button
              needs="phones:write"
              icon={<Pencil aria-hidden="true" className="size-4" />}
              onClick={() => setOpen('edit')}
            >
              Edit
            </Button>
            <HistoryLink target={`phone:${phone.id}`} name={title} />
            <Menu
              trigger={
                <IconButton
                  label="More actions for this number"
                  icon={<Ellipsis aria-hidden="true" className="size-4" />}
                  className="max-sm:flex-none!"
                />
              }
              items={[
                ...(phone.is_connected
                  ? [
                      {
                        label: 'Disconnect',
                        needs,
                        icon: <Unplug className="size-4" />,
                        onSelect: () => setOpen('disconnect'),
                      },
                    ]
                  : []),
                {
                  label: 'Delete number',
                  needs,
                  icon: <Trash2 className="size-4" />,
                  danger: true,
                  onSelect: () => setOpen('delete'),
                },
              ]}
            />
          </>
        }
      />
      {!phone.is_connected && (
        <Notice color={phone.error === null ? 'gray' : 'red'} title="Not connected" live>
          <p className="wrap-anywhere">{phone.error ?? phone.status_message}</p>
        </Notice>
      )}
      {phone.is_connected && phone.is_resting && (
        <Notice color="gray" title="Resting">
          {phone.status_message}
        </Notice>
      )}
      {open === 'link' && (
        <PhoneLinkDialog
          projectId={phone.project_id}
          phoneId={phone.id}
          phoneNumber={phone.phone_number}
          onClose={close}
        />
      )}
      {open === 'edit' && <EditPhoneDialog phone={phone} onClose={close} />}
      <DisconnectPhoneDialog isOpen={open === 'disconnect'} phone={phone} title={title} onClose={close} />
      <DeletePhoneDialog
        isOpen={open === 'delete'}
        phone={phone}
        title={title}
        onClose={close}
        onDeleted={() => void navigate({ to: paths.phoneNumbers, params })}
      />
    </>
  );
}
