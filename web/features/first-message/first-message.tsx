import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FlaskConical, Smartphone } from 'lucide-react';
import { isSimulated } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { phoneNumbersQuery, projectsQuery, queryKeys } from '#web/shared/queries.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { Handset } from './handset.tsx';
import { NextSteps } from './next-steps.tsx';
import { useChat } from './sam.ts';
import { SendCard } from './send-card.tsx';
import { WebhookCard } from './webhook-card.tsx';

/** A sandbox that sends: connected, and not stepped back behind a real phone. */
const isReady = (phone: PhoneNumber) =>
  isSimulated(phone.connector) && phone.is_connected && phone.is_active && !phone.is_resting;

/** Sent in the sandbox, seen on a drawn handset, answered there, told to a server. */
export function FirstMessage({ projectId }: { projectId: number }) {
  const projectsRead = useQuery(projectsQuery());
  const { data: projects } = projectsRead;
  const project = projects?.find(({ id }) => id === projectId);
  const phonesRead = useQuery({ ...phoneNumbersQuery(projectId), enabled: project !== undefined });
  const { data: phones } = phonesRead;
  const failed = [projectsRead, phonesRead].find(({ isLoadingError }) => isLoadingError);
  if (projects !== undefined && project === undefined) return <NotFoundCard kind="project" />;
  return (
    <>
      <PageHeader
        title="Your first message"
        description="Everything is real but the people: same API, same states, same webhooks."
        actions={
          <Link to={paths.connectNumber} params={{ projectId: String(projectId) }} className={buttonClass()}>
            <Smartphone aria-hidden="true" className="size-4" />
            Connect a real number
          </Link>
        }
      />
      {failed !== undefined && (
        <Card flush>
          <ErrorPanel
            title="Failed to load the project"
            detail={errorText(failed.error, 'Try again in a moment.')}
            onRetry={() => void failed.refetch()}
          />
        </Card>
      )}
      {failed === undefined && (project === undefined || phones === undefined) && <SceneSkeleton />}
      {project !== undefined && phones !== undefined && <Ready project={project} phones={phones} />}
    </>
  );
}

function Ready({ project, phones }: { project: Project; phones: readonly PhoneNumber[] }) {
  const { messages, isLoading } = useChat(project.id);
  return (
    <>
      {!isLoading && <NextSteps project={project} phones={phones} messages={messages} />}
      <Stage project={project} phones={phones} />
    </>
  );
}

function Stage({ project, phones }: { project: Project; phones: readonly PhoneNumber[] }) {
  const phone = phones.find(isReady);
  if (phone !== undefined) return <Scene project={project} phone={phone} />;
  if (phones.some(({ connector, connected_at: at }) => !isSimulated(connector) && at !== null)) {
    return (
      <Notice
        color="gray"
        title="This project sends by a real number"
        action={
          <Link to={paths.inbox} className={buttonClass('secondary', 'small')}>
            Inbox
          </Link>
        }
      >
        Its sandbox has stepped back, so that no customer’s message is ever ‘sent’ by it.
      </Notice>
    );
  }
  return <CreateSandbox project={project} />;
}

/** Creates a sandbox in a click: it gets a number of its own, and is connected. */
function CreateSandbox({ project }: { project: Project }) {
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      callApi('POST /api/projects/{projectId}/phone-numbers', {
        params: { projectId: project.id },
        body: { connector: 'sandbox' },
      }),
    onError: (error) => notify.error(errorText(error, 'Failed to add phone number')),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(project.id) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.projects }),
      ]),
  });
  return (
    <Card flush>
      <EmptyState
        icon={<FlaskConical aria-hidden="true" />}
        title="See a message arrive before you link anything"
        hint="A sandbox is a simulated phone. One click makes it, and nobody receives anything."
        action={
          <Button variant="primary" busy={create.isPending && 'Creating...'} onClick={() => create.mutate()}>
            Create a sandbox
          </Button>
        }
      />
    </Card>
  );
}

function Scene({ project, phone }: { project: Project; phone: PhoneNumber }) {
  const { messages, isLoading } = useChat(project.id);
  if (isLoading) return <SceneSkeleton />;
  const isWhole = ['incoming', 'outgoing'].every((direction) => messages.some((each) => each.direction === direction));
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 md:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_19rem_minmax(0,1fr)]">
        <SendCard project={project} phone={phone} messages={messages} />
        <Handset projectName={project.name} phoneId={phone.id} messages={messages} />
        <div className="min-w-0 md:max-xl:col-span-2">
          <WebhookCard project={project} messages={messages} />
        </div>
      </div>
      {isWhole && (
        <Notice
          live
          color="green"
          title="That was a whole conversation."
          action={
            <Link
              to={paths.connectNumber}
              params={{ projectId: String(project.id) }}
              className={buttonClass('primary', 'small')}
            >
              Connect a number
            </Link>
          }
        >
          Next: your own server, and a number that reaches people.
        </Notice>
      )}
    </>
  );
}

function SceneSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading..." className="grid gap-4 sm:gap-6 md:grid-cols-2 xl:grid-cols-3">
      <Skeleton className="h-110 rounded-base" />
      <Skeleton className="h-110 rounded-base" />
      <Skeleton className="h-110 rounded-base" />
    </div>
  );
}
