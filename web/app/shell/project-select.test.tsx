import { onTestFinished, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Sending } from '#contracts/projects.ts';
import { setCurrentProject } from '#web/shared/session.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { ProjectSelect } from './project-select.tsx';

test('a current project that cannot send says why, and leads to its phones', async () => {
  const sending: Sending = {
    can_send: false,
    connector: null,
    reason: 'phones_inactive',
    message: 'The connected phone numbers are switched off',
    until: null,
  };
  answerRequests({ 'GET /api/projects': () => ({ body: { data: [sampleProject({ sending })] } }) });
  setCurrentProject(3);
  onTestFinished(() => setCurrentProject(null));
  const { page: element, address } = inRouter(<ProjectSelect />);
  render(element);
  await expect.element(page.getByText('Cannot send now')).toBeVisible();
  await expect.element(page.getByText('The connected phone numbers are switched off')).toBeVisible();
  await page.getByRole('link', { name: 'Phone numbers' }).click();
  expect(address()).toBe('/projects/3/phone-numbers');
});

test('while the projects are on their way it says no word of having none', async () => {
  const answer = Promise.withResolvers<undefined>();
  answerRequests({
    'GET /api/projects': async () => {
      await answer.promise;
      return { body: { data: [] } };
    },
  });
  render(inRouter(<ProjectSelect />).page);
  const select = page.getByRole('combobox', { name: 'Current project' });
  await expect.element(select).toHaveDisplayValue('Loading...');
  expect(page.getByText('No projects').query()).toBeNull();
  answer.resolve(undefined);
  await expect.element(select).toHaveDisplayValue('No projects');
});
