import { expect, test } from 'vitest';
import { sampleProject } from '#web/testing/samples.ts';
import { newestProjects } from './newest-projects.ts';

test('five projects, the newest first, whatever order they came in', () => {
  const days = [3, 9, 1, 7, 5, 8];
  const projects = days.map((day) => sampleProject({ id: day, created_at: `2026-11-0${day}T00:00:00.000Z` }));
  expect(newestProjects(projects).map(({ id }) => id)).toEqual([9, 8, 7, 5, 3]);
});
