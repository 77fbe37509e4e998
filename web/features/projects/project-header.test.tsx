import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Sending } from '#contracts/projects.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { ProjectHeader } from './project-header.tsx';

test.each<[Partial<Sending>, string]>([
  [{}, 'Connected'],
  [{ connector: 'sandbox' }, 'Sandbox connected'],
  [{ can_send: false, connector: null, reason: 'phones_inactive' }, 'Cannot send now'],
])('with %j a connected project is called %s', async (sending, word) => {
  const project = sampleProject();
  render(inRouter(<ProjectHeader project={{ ...project, sending: { ...project.sending, ...sending } }} />).page);
  await expect.element(page.getByText(word, { exact: true })).toBeVisible();
});
