import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { useId } from 'react';
import type { Project } from '#contracts/projects.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { StepsHeading } from '#web/shared/ui/steps-heading.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import type { Step } from './first-steps.ts';
import { hasSandbox, StepAction, stepTarget, StepText, stepTitles } from './step-texts.tsx';
import type { FirstRun } from './use-first-run.ts';

type ChecklistProps = { firstRun: FirstRun; project: Project | undefined };

/** The first steps of a new account; each leads to its page, and ticks itself. */
export function Checklist({ firstRun, project }: ChecklistProps) {
  const reachesNobody = hasSandbox(project);
  switch (firstRun.state) {
    case 'none':
      return null;
    case 'loading':
      return <ChecklistSkeleton />;
    case 'open':
      return <OpenChecklist steps={firstRun.steps} project={project} onHide={firstRun.hide} />;
    case 'done':
      return (
        <Notice
          live
          color="green"
          title="You are all set"
          action={
            <Button size="small" variant="ghost" onClick={firstRun.hide}>
              Dismiss
            </Button>
          }
        >
          {reachesNobody ? (
            <>
              Your first message is out, in the sandbox. Next: a number that reaches people.{' '}
              <Link {...stepTarget('phone', project)} className="rounded-small font-medium underline">
                Connect WhatsApp
              </Link>
            </>
          ) : (
            'Your first message is out. From here on this page shows how your messages do.'
          )}
        </Notice>
      );
  }
}

type OpenChecklistProps = { steps: readonly Step[]; project: Project | undefined; onHide: () => void };

function OpenChecklist({ steps, project, onHide }: OpenChecklistProps) {
  const titleId = useId();
  const done = steps.filter(({ isDone }) => isDone).length;
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section aria-labelledby={titleId} className="overflow-hidden rounded-base border bg-surface">
      <header className="flex items-center gap-4 px-4 py-3 sm:px-5">
        <StepsHeading id={titleId} done={done} total={steps.length} />
        <Button variant="ghost" size="small" onClick={onHide}>
          Hide<span className="sr-only"> the first steps</span>
        </Button>
      </header>
      <ol>
        {steps.map((step, index) => (
          <StepRow key={step.name} step={step} number={index + 1} isCurrent={index === current} project={project} />
        ))}
      </ol>
    </section>
  );
}

type StepRowProps = { step: Step; number: number; isCurrent: boolean; project: Project | undefined };

function StepRow({ step, number, isCurrent, project }: StepRowProps) {
  return (
    <li
      aria-current={isCurrent ? 'step' : undefined}
      className={clsx(
        'flex flex-wrap items-start gap-x-4 gap-y-3 border-t px-4 py-4 sm:px-5',
        isCurrent && 'bg-accent-subtle',
      )}
    >
      <span
        aria-hidden="true"
        className={clsx(
          'grid size-6 shrink-0 place-items-center rounded-full text-12 font-semibold tabular-nums',
          step.isDone && 'bg-green-wash text-green-ink',
          isCurrent && 'bg-accent text-on-accent',
          !step.isDone && !isCurrent && 'border-[1.5px] border-line-strong text-muted',
        )}
      >
        {step.isDone ? <Check className="size-3.5" /> : number}
      </span>
      <div className="min-w-0 flex-1 basis-48 pt-0.5">
        <p className={step.isDone ? 'font-medium text-muted' : 'font-semibold'}>
          {step.isDone && <span className="sr-only">Done: </span>}
          <Link {...stepTarget(step.name, project)} className="hover:underline">
            {stepTitles[step.name]}
          </Link>
        </p>
        <p className="mt-0.5 text-pretty text-muted">
          <StepText step={step} project={project} />
        </p>
      </div>
      {isCurrent && (
        <div className="max-sm:ml-10 max-sm:w-full">
          <StepAction name={step.name} project={project} />
        </div>
      )}
    </li>
  );
}

function ChecklistSkeleton() {
  return (
    <div aria-busy="true" className="rounded-base border bg-surface">
      <div className="flex h-16 items-center gap-4 px-4 sm:px-5">
        <Skeleton className="size-10 rounded-full" />
        <Skeleton className="h-3 w-24" />
      </div>
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className="flex h-19 items-center gap-4 border-t px-4 sm:px-5">
          <Skeleton className="size-6 rounded-full" />
          <div className="grid flex-1 gap-2.5">
            <Skeleton className="h-3 w-32" />
            <Skeleton className="h-3 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
