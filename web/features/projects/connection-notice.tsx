import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QrCode } from 'lucide-react';
import { useState } from 'react';
import { isSimulated } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { PhoneLinkDialog } from '#web/shared/phone-link/phone-link-dialog.tsx';
import { useConnectPhone } from '#web/shared/phone-link/use-connect-phone.ts';
import { phoneNumbersQuery, queryKeys } from '#web/shared/queries.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { StoppedPhones } from './stopped-phones.tsx';
import { useShowProject } from './use-show-project.ts';

/** Whether the project can send now, and the button that changes it. */
export function ConnectionNotice({ project }: { project: Project }) {
  const { can_send, reason } = project.sending;
  if (!project.is_connected || reason === 'no_connected_phone') return <NotConnected project={project} />;
  return can_send ? <Connected project={project} /> : <CannotSend project={project} />;
}

function Connected({ project }: { project: Project }) {
  const [isAsking, setAsking] = useState(false);
  const { data: phones } = useQuery(phoneNumbersQuery(project.id));
  const queryClient = useQueryClient();
  const showProject = useShowProject();
  const disconnect = useMutation({
    mutationFn: () => callApi('POST /api/projects/{projectId}/disconnect', { params: { projectId: project.id } }),
    onSuccess: (disconnected) => {
      showProject(disconnected);
      notify.success('WhatsApp disconnected successfully');
      return queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(project.id) });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to disconnect WhatsApp')),
  });
  return (
    <>
      <Notice
        color="green"
        title={
          project.sending.connector !== null && isSimulated(project.sending.connector)
            ? 'Sandbox connected'
            : 'WhatsApp Connected'
        }
        action={
          <Button needs="phones:write" size="small" onClick={() => setAsking(true)}>
            Disconnect
          </Button>
        }
      >
        {[sinceText(project.connected_at), rotationText(phones)].filter(Boolean).join(' · ')}
      </Notice>
      <StoppedPhones phones={phones ?? []} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Disconnect ${project.name}?`}
        confirmLabel="Disconnect"
        busyLabel="Disconnecting..."
        onConfirm={async () => void (await disconnect.mutateAsync())}
      >
        Every phone of this project is signed out. Nothing is sent until a QR code is scanned again.
      </ConfirmDialog>
    </>
  );
}

/** Something is connected, and yet the rotation has no phone for the next message. */
function CannotSend({ project }: { project: Project }) {
  const [isLinking, setLinking] = useState(false);
  const { reason, message, until } = project.sending;
  return (
    <>
      <Notice
        color="yellow"
        title="This project cannot send now"
        live
        action={
          reason === 'sandbox_resting' ? (
            <Button needs="phones:write" size="small" variant="primary" onClick={() => setLinking(true)}>
              Connect WhatsApp
            </Button>
          ) : (
            <Link
              to={paths.phoneNumbers}
              params={{ projectId: String(project.id) }}
              className={buttonClass('secondary', 'small')}
            >
              Phone numbers
            </Link>
          )
        }
      >
        {[message, until !== null && `Until ${formatDateTime(until)}`].filter(Boolean).join(' · ')}
      </Notice>
      {isLinking && <PhoneLinkDialog projectId={project.id} onClose={() => setLinking(false)} />}
    </>
  );
}

function sinceText(connectedAt: string | null): string {
  return connectedAt === null ? '' : `Connected since ${formatDateTime(connectedAt)}`;
}

function rotationText(phones: readonly PhoneNumber[] | undefined): string {
  if (phones === undefined) return '';
  const inRotation = phones.filter((phone) => phone.is_connected && phone.is_active && !phone.is_resting).length;
  return `${inRotation} of ${phones.length} ${phones.length === 1 ? 'phone' : 'phones'} in rotation`;
}

function NotConnected({ project }: { project: Project }) {
  const [isLinking, setLinking] = useState(false);
  const { data: phones } = useQuery(phoneNumbersQuery(project.id));
  const lost = phones?.find(({ connector, status }) => isSimulated(connector) && status === 'auth_failed');
  if (lost !== undefined) return <LostSandbox phone={lost} />;
  const hasFailed = project.status === 'auth_failed';
  return (
    <>
      <Notice
        color={hasFailed ? 'yellow' : 'gray'}
        title={hasFailed ? 'WhatsApp could not sign in' : 'WhatsApp is not connected'}
        action={
          <>
            <Link
              to={paths.firstMessage}
              params={{ projectId: String(project.id) }}
              className={buttonClass('secondary', 'small')}
            >
              Try the sandbox
            </Link>
            <Button
              needs="phones:write"
              size="small"
              variant="primary"
              icon={<QrCode aria-hidden="true" className="size-4" />}
              onClick={() => setLinking(true)}
            >
              Connect WhatsApp
            </Button>
          </>
        }
      >
        Scan a QR code with the phone that sends this project’s messages.
      </Notice>
      {isLinking && <PhoneLinkDialog projectId={project.id} onClose={() => setLinking(false)} />}
    </>
  );
}

/** A recipient that simulates it took the link away. */
function LostSandbox({ phone }: { phone: PhoneNumber }) {
  const connect = useConnectPhone(phone);
  return (
    <Notice
      color="yellow"
      title="Simulated: the phone lost its link"
      action={
        <Button
          needs="sandboxes:write"
          size="small"
          variant="primary"
          busy={connect.isPending && 'Connecting...'}
          onClick={() => connect.mutate()}
        >
          Connect again
        </Button>
      }
    >
      A message went to the number that takes the link away. Nothing is wrong with a real phone.
    </Notice>
  );
}
