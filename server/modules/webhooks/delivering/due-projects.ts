import type { ProjectRef } from './delivery-slots.ts';

/** Which projects have records to deliver, and from when. */
export type DueProjects = {
  wake(project: ProjectRef, at: number): void;
  /** Those due at `now`, the longest waiting for their turn first. */
  dueAt(now: number): ProjectRef[];
  /** Before a claim, so that a record which comes during the claim wakes its project anew. */
  remove(projects: readonly ProjectRef[]): void;
  /** When the first project is due; undefined when there is none. */
  nextAt(): number | undefined;
};

export function createDueProjects(): DueProjects {
  // A map keeps its order of insertion, so a project that is woken again stands at the end.
  const waiting = new Map<number, { project: ProjectRef; at: number }>();
  return {
    wake(project, at) {
      const earlier = waiting.get(project.projectId);
      if (earlier) earlier.at = Math.min(earlier.at, at);
      else waiting.set(project.projectId, { project, at });
    },
    dueAt(now) {
      return [...waiting.values()].filter(({ at }) => at <= now).map(({ project }) => project);
    },
    remove(projects) {
      for (const { projectId } of projects) waiting.delete(projectId);
    },
    nextAt() {
      let next: number | undefined;
      for (const { at } of waiting.values()) next = Math.min(at, next ?? at);
      return next;
    },
  };
}
