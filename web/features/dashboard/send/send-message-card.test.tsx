import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Sending } from '#contracts/projects.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { SendMessageCard } from './send-message-card.tsx';

const resting: Sending = {
  can_send: false,
  connector: null,
  reason: 'sandbox_resting',
  message: 'Only a sandbox is connected, and it has stepped back',
  until: null,
};

const stuck = sampleProject({ id: 4, name: 'Stuck', sending: resting });

test('offers the projects that the rotation can send by', async () => {
  render(inRouter(<SendMessageCard projects={[stuck, sampleProject()]} />).page);
  const project = page.getByRole('combobox', { name: 'Project' });
  await expect.element(project).toHaveDisplayValue('Larkspur Store');
  await expect.element(project.getByRole('option', { name: 'Stuck' })).not.toBeInTheDocument();
});

test('where none of the connected ones can send it says why, and leads to their phones', async () => {
  const { page: element, address } = inRouter(<SendMessageCard projects={[stuck]} />);
  render(element);
  await expect.element(page.getByText('No project can send now')).toBeVisible();
  await expect.element(page.getByText('Only a sandbox is connected')).toBeVisible();
  await page.getByRole('button', { name: 'Phone numbers' }).click();
  expect(address()).toBe('/projects/4/phone-numbers');
});
