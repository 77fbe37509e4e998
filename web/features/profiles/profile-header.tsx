import { Link, useNavigate } from '@tanstack/react-router';
import { MessageSquare, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '#contracts/profiles.ts';
import { useDialogInUrl } from '#web/shared/form/use-dialog-in-url.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { DeleteProfileDialog } from './delete-profile-dialog.tsx';
import { EditProfileDialog } from './edit-profile-dialog.tsx';
import { OptedOutBadge } from './opted-out-badge.tsx';

export function ProfileHeader({ profile }: { profile: Profile }) {
  const navigate = useNavigate();
  const formatPhone = usePhoneFormat();
  const [isEditing, setEditing] = useDialogInUrl('edit');
  const [isDeleting, setDeleting] = useState(false);
  usePageName(profile.name ?? formatPhone(profile.phone));
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
            <Button icon={<Pencil aria-hidden="true" className="size-4" />} onClick={() => setEditing(true)}>
              Edit
            </Button>
            <Button
              variant="ghost-danger"
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
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
    </>
  );
}
