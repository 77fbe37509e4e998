import { useNavigate } from '@tanstack/react-router';
import { Unplug } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Project } from '#contracts/projects.ts';
import { afterPaint } from '#web/shared/after-paint.ts';
import { paths } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { sendMessageId } from '../first-run/step-texts.tsx';

/** Apart, and after the rest of the page: what forms are checked with is heavy, and not needed to look around. */
const SendMessageForm = lazy(async () => {
  await new Promise<void>(afterPaint);
  return { default: (await import('./send-message-form.tsx')).SendMessageForm };
});

/** `projects` is undefined while they load. */
export function SendMessageCard({ projects }: { projects: readonly Project[] | undefined }) {
  const ready = projects?.filter(({ sending }) => sending.can_send);
  const stuck = projects?.find(({ is_connected }) => is_connected);
  return (
    <Card flush id={sendMessageId} title="Send Message" className="scroll-mt-20 overflow-hidden">
      {ready === undefined && <FormSkeleton />}
      {ready?.length === 0 && (stuck === undefined ? <NoConnectedProjects /> : <CannotSend project={stuck} />)}
      {ready !== undefined && ready.length > 0 && (
        <Suspense fallback={<FormSkeleton />}>
          <SendMessageForm projects={ready} />
        </Suspense>
      )}
    </Card>
  );
}

/** Something is connected, and yet no project has a phone for the next message. */
function CannotSend({ project }: { project: Project }) {
  const navigate = useNavigate();
  const params = { projectId: String(project.id) };
  return (
    <EmptyState
      icon={<Unplug aria-hidden="true" />}
      title="No project can send now"
      hint={project.sending.message ?? 'Its phone numbers say why.'}
      action={<Button onClick={() => void navigate({ to: paths.phoneNumbers, params })}>Phone numbers</Button>}
    />
  );
}

function NoConnectedProjects() {
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={<Unplug aria-hidden="true" />}
      title="No Connected Projects"
      hint="Connect a phone to a project and send from here."
      action={<Button onClick={() => void navigate({ to: paths.projects })}>View Projects</Button>}
    />
  );
}

function FormSkeleton() {
  return (
    <div className="grid gap-6 px-5 py-5">
      <Skeleton className="h-15 rounded-base" />
      <Skeleton className="h-20 rounded-base" />
      <Skeleton className="h-33 rounded-base" />
      <Skeleton className="h-(--control) w-32 rounded-base" />
    </div>
  );
}
