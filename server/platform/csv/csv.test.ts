import { describe, expect, test } from 'vitest';
import { CsvError } from '#contracts/csv-error.ts';
import type { CsvRecord } from '#contracts/csv-parser.ts';
import { withoutFormulaGuard } from '#contracts/formula-guard.ts';
import { readCsv } from './read-csv.ts';
import { csvRecord } from './write-csv.ts';

const limits = { maxCellLength: 20, maxCells: 4 };

async function read(bytes: Uint8Array | string, partLength = 1_000_000) {
  const whole = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  async function* parts() {
    for (let start = 0; start < whole.length; start += partLength) yield whole.subarray(start, start + partLength);
  }
  const records: CsvRecord[] = [];
  for await (const record of readCsv(parts(), limits)) records.push(record);
  return records;
}

const cellsOf = async (text: string, partLength?: number) => (await read(text, partLength)).map(({ cells }) => cells);

describe('readCsv', () => {
  test.each<[string, string, string[][]]>([
    [
      'plain lines',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line break at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'Windows and old Mac line breaks',
      'a,b\r\n1,2\r3,4',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'empty cells and empty lines',
      'a,b\n\n,\n1,\n',
      [
        ['a', 'b'],
        ['', ''],
        ['1', ''],
      ],
    ],
    [
      'quoted delimiters, quotes and line breaks',
      'a,b\n"x,""y""","1\r\n2"\n',
      [
        ['a', 'b'],
        ['x,"y"', '1\r\n2'],
      ],
    ],
    ['a quoted empty cell alone', 'a\n""\n', [['a'], ['']]],
    ['a quotation mark within a bare cell', 'a\n5" pipe\n', [['a'], ['5" pipe']]],
    ['text after a closing quotation mark', 'a\n"x"y\n', [['a'], ['xy']]],
    [
      'semicolons',
      'a;b\n1,5;2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'bars',
      'a|b\n1|2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a byte order mark',
      '\uFEFFa,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['ragged rows', 'a,b\n1\n1,2,3\n', [['a', 'b'], ['1'], ['1', '2', '3']]],
    ['nothing', '', []],
    [
      'letters beyond ASCII',
      'é,名\n🙂,ß',
      [
        ['é', '名'],
        ['🙂', 'ß'],
      ],
    ],
  ])('%s', async (_name, text, rows) => {
    expect(await cellsOf(text)).toEqual(rows);
    expect(await cellsOf(text, 1)).toEqual(rows);
    expect(await cellsOf(text, 3)).toEqual(rows);
  });

  test('UTF-16 with a byte order mark', async () => {
    const little = Buffer.from('\uFEFFa,b\n1,é', 'utf16le');
    expect((await read(little, 3)).map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1', 'é'],
    ]);
  });

  test('a cell over the limit is cut, said, and costs no other row', async () => {
    const records = await read(`a,b\n1,${'x'.repeat(100_000)}\n3,4\n`, 1000);
    expect(records.map(({ cells, problem }) => [cells[1]?.length, problem])).toEqual([
      [1, undefined],
      [20, 'Column 2 has more than 20 characters'],
      [1, undefined],
    ]);
  });

  test.each([16, 17, 18, 19, 20, 21])(
    'a cell that is cut at an emoji holds no half of it: %i before',
    async (before) => {
      const [record] = await read(`${'x'.repeat(before)}🙂🙂🙂,b\n`);
      expect(record?.cells[0]?.isWellFormed()).toBe(true);
      expect(record?.cells[0]?.length).toBeLessThanOrEqual(20);
    },
  );

  test.each([1, 2, 3, 5, 100])('letters of UTF-8 are never cut, in parts of %i bytes', async (size) => {
    expect(await cellsOf('\uFEFFname,x\n名前名前名前,é\n', size)).toEqual([
      ['name', 'x'],
      ['名前名前名前', 'é'],
    ]);
  });

  test.each([1, 2, 3, 5, 100])('Windows-1252 is read as such, in parts of %i bytes', async (size) => {
    const bytes = Buffer.from('name,city\nJos\xe9,M\xfcnchen\n\x80,\xe9', 'latin1');
    const records = (await read(bytes, size)).map(({ cells }) => cells);
    expect(records).toEqual([
      ['name', 'city'],
      ['José', 'München'],
      ['€', 'é'],
    ]);
  });

  test.each(['sep=;\r\na;b\r\n1,5;2\r\n', 'SEP=;\na;b\n1,5;2\n'])('%j names its delimiter', async (text) => {
    expect((await read(text)).map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ]);
  });

  test('a row over the limit is said', async () => {
    const [, row] = await read('a,b\n1,2,3,4,5,6\n');
    expect(row).toEqual({ cells: ['1', '2', '3', '4'], problem: 'The row has more than 4 columns' });
  });

  test.each<[string, Uint8Array | string, string]>([
    ['a file that is not text', Buffer.from([80, 75, 3, 4, 0, 0, 8]), 'The file is not text'],
    ['an open quotation mark', 'a\n1\n"2\n3\n', 'The quotation mark that opens in line 3 is never closed'],
  ])('%s is refused', async (_name, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(CsvError);
    await expect(read(bytes)).rejects.toThrow(message);
  });
});

describe('csvRecord', () => {
  test.each([
    [['a', 'b c', ''], 'a,b c,\r\n'],
    [['x,y', 'say "hi"', 'two\nlines'], '"x,y","say ""hi""","two\nlines"\r\n'],
    [['=1+1', '+1', '-1', '@x', '\tx'], `'=1+1,'+1,'-1,'@x,'\tx\r\n`],
    [['＝1+1', '＋1', '－1', '＠x', '\n=x'], `'＝1+1,'＋1,'－1,'＠x,"'\n=x"\r\n`],
  ])('%j', (cells, line) => {
    expect(csvRecord(cells)).toBe(line);
  });

  test('guarded cells can be read back', async () => {
    const cells = ['=1+1', "'-5", "'tis", ' a\r\n"b'];
    const [record] = await read(csvRecord(cells));
    expect(record?.cells.map(withoutFormulaGuard)).toEqual(cells);
  });
});
