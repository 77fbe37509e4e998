import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { isSimulated } from '#contracts/connectors.ts';
import type { Message } from '#contracts/messages.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { paths } from '#web/shared/paths.ts';
import { useCan } from '#web/shared/session.ts';
import { StepsHeading } from '#web/shared/ui/steps-heading.tsx';
import { queryKeys } from '#web/shared/queries.ts';

type NextStepsProps = { project: Project; phones: readonly PhoneNumber[]; messages: readonly Message[] };

/** `link`: the title with the way to where the step is done, where that is another page. */
type Step = { title: string; isDone: boolean; link?: ReactNode };

/** The steps from the sandbox to real people; nothing once they are all done. */
export function NextSteps(props: NextStepsProps) {
  const titleId = useId();
  const hasColleagues = useColleagues();
  const steps = stepsOf(props, hasColleagues);
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.findIndex(({ isDone }) => !isDone);
  if (next === -1) return null;
  return (
    <section
      aria-labelledby={titleId}
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-base border bg-surface px-4 py-3 sm:px-5"
    >
      <div className="flex items-center gap-3">
        <StepsHeading id={titleId} done={done} total={steps.length} />
      </div>
      <ol className="flex min-w-0 flex-1 basis-80 flex-wrap gap-1 text-13">
        {steps.map((step, index) => (
          <StepItem key={step.title} step={step} number={index + 1} isNext={index === next} />
        ))}
      </ol>
    </section>
  );
}

function stepsOf({ project, phones, messages }: NextStepsProps, hasColleagues: boolean | undefined): Step[] {
  const params = { projectId: String(project.id) };
  const has = (direction: Message['direction']) => messages.some((message) => message.direction === direction);
  const hasNumber = phones.some(({ connector, connected_at: at }) => !isSimulated(connector) && at !== null);
  return [
    { title: 'Create a sandbox', isDone: phones.some(({ connector }) => isSimulated(connector)) },
    { title: 'Send a message', isDone: has('outgoing') },
    { title: 'Answer it', isDone: has('incoming') },
    {
      title: 'Add a webhook',
      isDone: project.webhook_url !== null,
      link: (
        <Link to={paths.developers} params={params} search={{ tab: 'webhooks' }}>
          Add a webhook
        </Link>
      ),
    },
    {
      title: 'Connect a number',
      isDone: hasNumber,
      link: (
        <Link to={paths.connectNumber} params={params}>
          Connect a number
        </Link>
      ),
    },
    ...(hasColleagues === undefined
      ? []
      : [{ title: 'Invite your team', isDone: hasColleagues, link: <Link to={paths.team}>Invite your team</Link> }]),
  ];
}

/** Undefined while that loads, and for members who invite nobody. */
function useColleagues(): boolean | undefined {
  const mayInvite = useCan()('team:write');
  const { data } = useQuery({
    queryKey: queryKeys.team,
    queryFn: ({ signal }) => callApi('GET /api/team', {}, { signal }),
    enabled: mayInvite,
  });
  return data && data.members.length + data.invitations.length > 1;
}

type StepItemProps = { step: Step; number: number; isNext: boolean };

function StepItem({ step: { title, isDone, link = title }, number, isNext }: StepItemProps) {
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={clsx('flex items-center gap-2 rounded-base px-2 py-1.5', isNext && 'bg-accent-subtle font-semibold')}
    >
      <span
        aria-hidden="true"
        className={clsx(
          'grid size-5 shrink-0 place-items-center rounded-full text-12 font-semibold tabular-nums',
          isDone && 'bg-green-wash text-green-ink',
          isNext && 'bg-accent text-on-accent',
          !isDone && !isNext && 'border-[1.5px] border-line-strong text-muted',
        )}
      >
        {isDone ? <Check className="size-3" /> : number}
      </span>
      <span className={clsx(isDone && 'text-muted')}>
        {isDone && <span className="sr-only">Done: </span>}
        {isDone ? title : link}
      </span>
    </li>
  );
}
