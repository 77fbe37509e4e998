import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { User } from '#contracts/accounts.ts';
import type { Project } from '#contracts/projects.ts';
import { phoneNumbersQuery } from '#web/shared/queries.ts';
import { useCan, useSession } from '#web/shared/session.ts';
import { dailyCountsQuery } from '../daily-counts-query.ts';
import { readChecklistMemory, rememberChecklist } from './checklist-memory.ts';
import { firstSteps, type Step } from './first-steps.ts';

export type FirstRun =
  | { state: 'none' }
  /** The steps are on their way, and likely to be shown. */
  | { state: 'loading' }
  | { state: 'open'; steps: readonly Step[]; hide(): void }
  /** The last step was done while this page watched, or since it was last here. */
  | { state: 'done'; hide(): void };

const newUserMs = 24 * 60 * 60_000;

const isNew = ({ created_at }: User) => Date.now() - Date.parse(created_at) < newUserMs;

/** Where a new account stands. Once it has done its first steps, or hidden them, this browser asks no more. */
export function useFirstRun(projects: readonly Project[] | undefined, current: Project | undefined): FirstRun {
  const { user } = useSession();
  const [memory] = useState(() => user && readChecklistMemory(user.id));
  // A member joins an account that others have set up.
  const mayBegin = useCan()('projects:write');
  const [isHidden, setHidden] = useState(memory === 'closed');
  const [wasOpen, setWasOpen] = useState(memory === 'open');
  const [isExpected] = useState(() => memory === 'open' || (user !== null && isNew(user)));
  const steps = useSteps(projects, current);
  const isDone = steps?.every((step) => step.isDone);
  if (isDone === false && !wasOpen) setWasOpen(true);
  // For this visit: the cards that take its place ask again, and each answer would swap them.
  if (steps === null && !isHidden) setHidden(true);

  const userId = user?.id;
  useEffect(() => {
    if (userId === undefined || isDone === undefined || isHidden) return;
    rememberChecklist(userId, isDone ? 'closed' : 'open');
  }, [userId, isDone, isHidden]);

  function hide(): void {
    setHidden(true);
    if (userId !== undefined) rememberChecklist(userId, 'closed');
  }

  if (isHidden || !mayBegin || steps === null) return { state: 'none' };
  if (steps === undefined) return { state: isExpected ? 'loading' : 'none' };
  if (!isDone) return { state: 'open', steps, hide };
  return wasOpen ? { state: 'done', hide } : { state: 'none' };
}

/** Undefined while what they depend on loads, null where it does not. */
function useSteps(
  projects: readonly Project[] | undefined,
  project: Project | undefined,
): readonly Step[] | null | undefined {
  const phones = useQuery({ ...phoneNumbersQuery(project?.id ?? 0), enabled: project !== undefined });
  const counts = useQuery(dailyCountsQuery());
  if (phones.isLoadingError || counts.isLoadingError) return null;
  const days = counts.data?.data;
  if (projects === undefined || days === undefined) return undefined;
  // A project is there before the shell has made it the current one.
  if (project === undefined) return projects.length === 0 ? firstSteps({ project, phones: [], days }) : undefined;
  return phones.data && firstSteps({ project, phones: phones.data, days });
}
