import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { z } from 'zod';
import type { ProfileField } from '#contracts/profiles.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { useZodForm } from '../form/use-zod-form.ts';
import type { PlaceholderSpelling } from './placeholders.ts';
import { TemplateField } from './template-field.tsx';

const Form = z.object({ message: z.string() });

function field(path: string, types: ProfileField['types'] = ['string'], profiles = 1): ProfileField {
  return { path, types, sample: path === 'custom_fields.shop' ? 'Corner' : null, profiles };
}

const known = [
  field('name'),
  field('email'),
  field('custom_fields.plan', ['string'], 5),
  field('custom_fields.shop', ['string'], 9),
  field('custom_fields.installed', ['boolean'], 20),
  field('custom_fields.address', ['object'], 20),
];

function Example({ spelling, message }: { spelling: PlaceholderSpelling; message: string }) {
  const form = useZodForm(Form, { message });
  return (
    <form onSubmit={() => document.body.append('submitted')}>
      <TemplateField form={form} name="message" label="Message" spelling={spelling} />
    </form>
  );
}

function open({ spelling = 'short', message = '', fields = known }: OpenOptions = {}): Request[] {
  const requests = answerRequests({
    'GET /api/profile-fields': ({ url }) => {
      const search = new URL(url).searchParams.get('search') ?? '';
      return { body: { data: fields.filter(({ path }) => path.includes(search)).slice(0, 100) } };
    },
  });
  render(<Example spelling={spelling} message={message} />);
  return requests;
}

type OpenOptions = { spelling?: PlaceholderSpelling; message?: string; fields?: readonly ProfileField[] };

const message = page.getByRole('textbox', { name: 'Message' });
const search = page.getByRole('combobox', { name: 'Insert a field' });
const warning = page.getByRole('status').filter({ hasText: 'No profile has' });

beforeEach(() => page.viewport(1280, 800));

test('a chip puts its placeholder where the caret is, in place of what is selected', async () => {
  open({ message: 'Hi you, welcome' });
  await message.click();
  (message.element() as HTMLTextAreaElement).setSelectionRange(3, 6);
  await page.getByRole('button', { name: 'Insert {name}' }).click();
  await expect.element(message).toHaveValue('Hi {name}, welcome');
  await expect.element(message).toHaveFocus();
  await userEvent.keyboard('!');
  await expect.element(message).toHaveValue('Hi {name}!, welcome');
});

test('the chips are the name and the texts that most profiles have', async () => {
  open();
  await expect.element(page.getByRole('button', { name: 'Insert {shop}' })).toBeVisible();
  const names = page.getByRole('button', { name: 'Insert' }).elements();
  expect(names.map((chip) => chip.textContent)).toEqual(['{name}', '{shop}', '{plan}']);
});

test('any field is found by its name and inserted by keyboard, without saving the form', async () => {
  open({ message: 'Hi ' });
  await search.click();
  await userEvent.keyboard('instal');
  const options = page.getByRole('option');
  await expect.element(options).toHaveTextContent('{installed}');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(message).toHaveValue('{installed}Hi ');
  await expect.element(message).toHaveFocus();
  await expect.element(search).toHaveValue('');
  await search.click();
  await userEvent.keyboard('zzz{Enter}');
  expect(document.body.textContent).not.toContain('submitted');
});

test('writes whole paths where they are wanted', async () => {
  open({ spelling: 'full' });
  await page.getByRole('button', { name: 'Insert {custom_fields.shop}' }).click();
  await expect.element(message).toHaveValue('{custom_fields.shop}');
});

test('warns of placeholders that nobody fills', async () => {
  open({ message: 'Hi {name} of {shop}, {custom_fields.plan}' });
  await expect.element(page.getByRole('button', { name: 'Insert {shop}' })).toBeVisible();
  await expect.element(warning).not.toBeInTheDocument();
  await message.fill('Hi {shopp} {address} {custom_fields.name}');
  await expect
    .element(warning)
    .toHaveTextContent('No profile has {shopp}, {address} and {custom_fields.name}: they become empty text.');
  await message.fill('Hi {shopp}');
  await expect.element(warning).toHaveTextContent('No profile has {shopp}: it becomes empty text.');
  await message.fill('Hi {name}');
  await expect.element(warning).not.toBeInTheDocument();
});

test('asks by name where there are more fields than one answer holds', async () => {
  const many = Array.from({ length: 120 }, (_, index) => field(`custom_fields.f${index}`));
  const requests = open({ message: '{f119} {g1}', fields: many });
  await expect.element(warning).toHaveTextContent('No profile has {g1}: it becomes empty text.');
  const searches = requests.map(({ url }) => new URL(url).searchParams.get('search'));
  expect(searches).toContain('f119');
});

test('counts, and says when it is too long', async () => {
  open({ message: 'x'.repeat(4096) });
  const count = page.getByText('4,096 / 4,096');
  await expect.element(count).toHaveClass('text-muted');
  await message.fill('x'.repeat(4097));
  await expect.element(page.getByText('4,097 / 4,096')).toHaveClass('text-red-ink');
});

test('the longest field name leaves the form as narrow as a phone', async () => {
  await page.viewport(390, 844);
  open({ fields: [field(`custom_fields.${'last_visit_of_the_online_shop_'.repeat(3)}`)], spelling: 'full' });
  await expect.element(page.getByRole('button', { name: /^Insert/ })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test.each([
  ['Hi {name}', 'ltr'],
  ['مرحبا {name}', 'rtl'],
])('%s is written from the side its script begins on', async (text, direction) => {
  open({ message: text });
  await expect.element(message).toHaveValue(text);
  expect(getComputedStyle(message.element()).direction).toBe(direction);
});

test('a saved template takes the place of what is typed', async () => {
  answerRequests({
    'GET /api/profile-fields': () => ({ body: { data: known } }),
    'GET /api/templates': () => ({
      body: { data: [{ id: 1, name: 'Order ready', message: 'Hi {name|there}' }], total: 1, page: 1, pageSize: 20 },
    }),
  });
  render(<Example spelling="short" message="Hello" />);
  await page.getByRole('combobox', { name: 'Use a template' }).click();
  await page.getByRole('option', { name: /Order ready/ }).click();
  await expect.element(message).toHaveValue('Hi {name|there}');
  await expect.element(page.getByRole('combobox', { name: 'Use a template' })).toHaveValue('');
});
