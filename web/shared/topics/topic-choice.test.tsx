import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { TopicChoice } from './topic-choice.tsx';

test.each([null, 5])(
  'topics that could not be loaded are told, and pass neither for none nor for deleted (%s)',
  async (value) => {
    let isDown = true;
    const offers = { id: 5, name: 'Offers', description: null, needs_opt_in: false };
    answerRequests({
      'GET /api/topics': () => (isDown ? problem(500, 'internal', 'The server failed') : { body: { data: [offers] } }),
    });
    render(<TopicChoice value={value} onChange={() => undefined} />);
    const choice = page.getByRole('combobox', { name: 'Topic' });
    await expect.element(choice).toHaveAccessibleDescription('Failed to fetch topics');
    await expect.element(choice).toBeDisabled();
    expect(page.getByText('(deleted)').elements()).toEqual([]);
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByRole('option', { name: 'Offers' })).toBeInTheDocument();
    await expect.element(choice).toBeEnabled();
  },
);
