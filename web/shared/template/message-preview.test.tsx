import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { MessagePreview } from './message-preview.tsx';

const preview = page.getByRole('region', { name: 'Message Preview', exact: true });

test.each([undefined, '', '  '])('of %j it says what will be here', async (text) => {
  render(<MessagePreview title="Message Preview" text={text} />);
  await expect.element(preview).toHaveTextContent('Your message as it arrives');
});

test('every line of a message runs from the side its script begins on', async () => {
  render(<MessagePreview title="Message Preview" text={'Hello Dana.\nשלום דנה.'} />);
  await expect.element(preview).toHaveTextContent('Hello Dana.');
  const bubble = preview.getByText('Hello Dana.').element();
  const [text] = bubble.childNodes;
  const placeOf = (character: string) => {
    const range = document.createRange();
    const offset = text?.textContent?.lastIndexOf(character) ?? -1;
    range.setStart(text as Text, offset);
    range.setEnd(text as Text, offset + 1);
    return range.getBoundingClientRect().left;
  };
  // The full stop of the second line ends it at the left.
  expect(placeOf('.')).toBeLessThan(placeOf('ה'));
});
