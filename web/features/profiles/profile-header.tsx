import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Download, Ellipsis, Eraser, MessageSquare, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '#contracts/profiles.ts';
import { useDialogInUrl } from '#web/shared/form/use-dialog-in-url.ts';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { useCan } from '#web/shared/session.ts';
import { useNeededForContact } from '#web/shared/needed-for-contact.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu, type MenuItem } from '#web/shared/ui/menu.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { EraseProfileDialog } from '#web/shared/erase-profile-dialog.tsx';
import { DeleteProfileDialog } from './delete-profile-dialog.tsx';
import { EditProfileDialog } from './edit-profile-dialog.tsx';
import { OptedOutBadge } from './opted-out-badge.tsx';

export function ProfileHeader({ profile }: { profile: Profile }) {
  const navigate = useNavigate();
  const formatPhone = usePhoneFormat();
  const [isEditing, setEditing] = useDialogInUrl('edit');
  const [isDeleting, setDeleting] = useState(false);
  const [isErasing, setErasing] = useState(false);
  const can = useCan();
  const needed = useNeededForContact();
  const download = useMutation({
    mutationFn: () =>
      downloadFile(
        'GET /api/profiles/{profileId}/export',
        { params: { profileId: profile.id } },
        `contact-${profile.id}.json`,
      ),
    onError: (error) => notify.error(errorText(error, 'Failed to export the contact')),
  });
  usePageName(profile.name ?? formatPhone(profile.phone));
  const further: MenuItem[] = [
    ...(can('data:export')
      ? [
          {
            label: 'Export the data',
            icon: <Download aria-hidden="true" className="size-4" />,
            onSelect: () => download.mutate(),
          },
        ]
      : []),
    ...(can('contacts:write')
      ? [
          {
            label: 'Erase for good',
            danger: true,
            icon: <Eraser aria-hidden="true" className="size-4" />,
            onSelect: () => setErasing(true),
          },
        ]
      : []),
  ];
  return (
    <>
      <PageHeader
        title={profile.name ?? formatPhone(profile.phone)}
        badge={
          <>
            <StatusBadge kind="profile" status={profile.status} />
            {profile.opted_out && <OptedOutBadge />}
          </>
        }
        description={
          <>
            Created <time dateTime={profile.created_at}>{formatLongDate(profile.created_at)}</time>
          </>
        }
        actions={
          <>
            <Link to={paths.inbox} search={{ to: profile.phone }} className={buttonClass()}>
              <MessageSquare aria-hidden="true" className="size-4" />
              Message
            </Link>
            <Button
              needs={needed}
              icon={<Pencil aria-hidden="true" className="size-4" />}
              onClick={() => setEditing(true)}
            >
              Edit
            </Button>
            <Button
              needs="contacts:write"
              variant="ghost-danger"
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
            {further.length > 0 && (
              <Menu
                trigger={
                  <IconButton
                    icon={<Ellipsis aria-hidden="true" className="size-4" />}
                    label={`More actions for ${profile.name ?? formatPhone(profile.phone)}`}
                  />
                }
                items={further}
              />
            )}
          </>
        }
      />
      {isEditing && <EditProfileDialog profile={profile} onClose={() => setEditing(false)} />}
      {isDeleting && (
        <DeleteProfileDialog
          profile={profile}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate({ to: paths.profiles })}
        />
      )}
      {isErasing && (
        <EraseProfileDialog
          profile={profile}
          onClose={() => setErasing(false)}
          onErased={() => navigate({ to: paths.profiles })}
        />
      )}
    </>
  );
}
