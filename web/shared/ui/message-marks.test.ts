import { expect, test } from 'vitest';
import { readMarks, type Marked } from './message-marks.ts';

const signs = { bold: 'b', italic: 'i', struck: 's', mono: 'code' };

function written(parts: readonly Marked[]): string {
  return parts
    .map((part) =>
      typeof part === 'string' ? part : `<${signs[part.mark]}>${written(part.parts)}</${signs[part.mark]}>`,
    )
    .join('');
}

test.each([
  ['plain', 'plain'],
  ['a *bold* word', 'a <b>bold</b> word'],
  ['_it_, ~old~ and *new*!', '<i>it</i>, <s>old</s> and <b>new</b>!'],
  ['*bold _and italic_*', '<b>bold <i>and italic</i></b>'],
  ['```x *y*\nz```', '<code>x *y*\nz</code>'],
  ['code `a *b*` and `c`', 'code <code>a *b*</code> and <code>c</code>'],
  ['a ` alone, `` and ```', 'a ` alone, `` and ```'],
  ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name'],
  ['* not bold *', '* not bold *'],
  ['*two\nlines*', '*two\nlines*'],
  ['*שלום*', '<b>שלום</b>'],
  ['', ''],
])('%j is shown as %j', (text, shown) => {
  expect(written(readMarks(text))).toBe(shown);
});
