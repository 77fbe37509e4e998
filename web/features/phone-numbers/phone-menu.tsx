import { Ellipsis, MessageSquareReply, Pencil, Plug, Trash2, Unplug } from 'lucide-react';
import { connectorTraits, isSimulated } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { useConnectPhone } from '#web/shared/phone-link/use-connect-phone.ts';
import { usePhoneDialogs } from './use-phone-dialogs.tsx';
import { changesNeed } from './changes-need.ts';

const iconClass = 'size-4';

/** A phone's actions in its row. */
export function PhoneMenu({ phone }: { phone: PhoneNumber }) {
  const { title, open, dialogs } = usePhoneDialogs(phone);
  const connect = useConnectPhone(phone);
  const isSandbox = isSimulated(phone.connector);
  const needs = changesNeed(phone);
  const needsCode = connectorTraits[phone.connector].link === 'qr';
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${title}`} icon={<Ellipsis aria-hidden="true" className={iconClass} />} />
        }
        items={[
          phone.is_connected
            ? {
                label: 'Disconnect',
                needs,
                icon: <Unplug aria-hidden="true" className={iconClass} />,
                onSelect: () => open('disconnect'),
              }
            : {
                label: 'Connect',
                needs,
                icon: <Plug aria-hidden="true" className={iconClass} />,
                onSelect: () => (needsCode ? open('link') : connect.mutate()),
              },
          ...(isSandbox && phone.is_connected
            ? [
                {
                  label: 'Simulate incoming message',
                  needs,
                  icon: <MessageSquareReply aria-hidden="true" className={iconClass} />,
                  onSelect: () => open('incoming'),
                },
              ]
            : []),
          {
            label: 'Edit',
            needs: 'phones:write',
            icon: <Pencil aria-hidden="true" className={iconClass} />,
            onSelect: () => open('edit'),
          },
          'separator',
          {
            label: 'Delete',
            needs,
            danger: true,
            icon: <Trash2 aria-hidden="true" className={iconClass} />,
            onSelect: () => open('delete'),
          },
        ]}
      />
      {dialogs}
    </>
  );
}
