import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { z } from 'zod';
import { WrittenPhone } from '#contracts/phone-numbers.ts';
import { render } from '#web/testing/render.tsx';
import { sampleUser } from '#web/testing/samples.ts';
import { useZodForm } from '../form/use-zod-form.ts';
import { setUser } from '../session.ts';
import { NumberField } from './number-field.tsx';

const Form = z.object({ to: WrittenPhone });
const field = page.getByRole('textbox', { name: 'Number' });
const line = page.getByRole('status');
const value = page.getByTestId('value');

type ExampleProps = { people?: boolean; hint?: string | undefined };

function Example({ people = false, hint = 'With its country' }: ExampleProps) {
  const form = useZodForm(Form, { to: '' });
  return (
    <form>
      <NumberField form={form} name="to" label="Number" hint={hint || undefined} people={people} />
      <p data-testid="value">{form.watch('to')}</p>
      <button type="button" onClick={() => form.reset({ to: '' })}>
        Empty it
      </button>
    </form>
  );
}

function open(country: string | null): void {
  setUser(sampleUser({ default_country: country }));
  render(<Example />);
}

beforeEach(() => page.viewport(390, 700));

test.each([
  ['PT', '912 100 017', '+351 912 100 017 (Portugal) · other country', '+351912100017'],
  ['US', '415 555 0199', '+1 415 555 0199 (United States) · other country', '+14155550199'],
  ['CH', '14155550199', '+1 415 555 0199 (United States)', '+14155550199'],
  [null, '00351 912 100 017', '+351 912 100 017 (Portugal)', '+351912100017'],
  ['PT', '+1 416 555 0142', '+1 416 555 0142 (Canada)', '+14165550142'],
  [null, '+44 (0)20 7946 0018 ext. 4', 'fixed line (United Kingdom)', '+442079460018'],
  ['US', '+1 415 555 0199 ext. 4', '“ext. 4” left out', '+14155550199'],
  ['US', '+1 200 555 0199', 'No number in the United States begins with 200', '+12005550199'],
])('in %s, %s reads back %s', async (country, typed, words, wire) => {
  open(country);
  await field.fill(typed);
  await expect.element(line).toHaveTextContent(words);
  await expect.element(value).toHaveTextContent(wire);
});

test('says how many digits are missing: while typing as a hint, then in full', async () => {
  open('PT');
  await field.fill('912 10');
  await expect.element(line).toHaveTextContent('Four more digits');
  await field.fill('+351 912 100');
  await userEvent.tab();
  await expect.element(line).toHaveTextContent('Three digits are missing: Portugal has nine after +351.');
  await field.fill('ines@carvalho');
  await userEvent.tab();
  await expect.element(line).toHaveTextContent('Letters and @ cannot stand in a number.');
});

test.each([
  ['PT', 'With + and its country, or as it is dialled in Portugal'],
  ['US', 'With + and its country, or as it is dialled in the United States'],
  [null, 'With + and the country’s code'],
])('an empty field without a hint says how a number is written in %s', async (country, words) => {
  setUser(sampleUser({ default_country: country }));
  render(<Example hint="" />);
  await expect.element(line).toHaveTextContent(words);
});

test('offers what an unclear number may be, and takes it with one click', async () => {
  open('CH');
  await field.fill('415 555 0199');
  await expect.element(value).toHaveTextContent('415 555 0199');
  await page.getByRole('button', { name: '+1 415 555 0199 (United States)' }).click();
  await expect.element(field).toHaveValue('+1 415 555 0199');
  await expect.element(value).toHaveTextContent('+14155550199');
});

test('offers the other assignable reading beside the one that it takes', async () => {
  open('US');
  await field.fill('659 234 5678');
  await expect.element(line).toHaveTextContent('+65 9234 5678 (Singapore)');
  await page.getByRole('button', { name: '+1 659 234 5678' }).click();
  await expect.element(value).toHaveTextContent('+16592345678');
});

test('a country is chosen by keyboard, found by its name, and reads the number anew', async () => {
  open('CH');
  await field.fill('912 100 017');
  await userEvent.tab();
  await expect.element(page.getByRole('button', { name: 'Country: Switzerland' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('portu');
  await userEvent.keyboard('{Enter}');
  await expect.element(line).toHaveTextContent('+351 912 100 017 (Portugal)');
  await expect.element(value).toHaveTextContent('+351912100017');
  await expect.element(page.getByRole('button', { name: 'Country: Portugal' })).toBeVisible();
});

test('a form that is emptied empties the field', async () => {
  open('PT');
  await field.fill('912 100 017');
  await page.getByRole('button', { name: 'Empty it' }).click();
  await expect.element(field).toHaveValue('');
  await expect.element(line).not.toBeInTheDocument();
});

test('a field that suggests people has the same frame, and no second one within', async () => {
  setUser(sampleUser({ default_country: 'PT' }));
  render(<Example people />);
  const input = page.getByRole('combobox', { name: 'Number' });
  await expect.element(input).toHaveStyle({ borderTopWidth: '0px' });
});
