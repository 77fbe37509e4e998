import { expect, test } from 'vitest';
import { highlight, type CodeLanguage } from './highlight.ts';

const samples: [CodeLanguage, string, string[]][] = [
  [
    'curl',
    `curl https://x/api \\\n  -H 'x-auth-key: k' \\\n  -d '{"to":1}'`,
    ['-H', `'x-auth-key: k'`, '-d', `'{"to":1}'`],
  ],
  ['javascript', `const n = 1; // it's one`, ['const', '1', `// it's one`]],
  ['python', `import json  # read\nprint("a")`, ['import', '# read', 'print', '"a"']],
  ['php', `<?php\n$a = ['to' => true];`, ['<?php', `'to'`, 'true']],
  ['json', `{"to": "1", "n": -2.5, "ok": true}`, ['"to"', '"1"', '"n"', '-2.5', '"ok"', 'true']],
];

test.each(samples)('colours %s and keeps every character', (language, code, coloured) => {
  const spans = highlight(code, language);
  expect(spans.map((span) => span.text).join('')).toBe(code);
  expect(spans.filter((span) => span.kind !== 'plain').map((span) => span.text)).toEqual(coloured);
});
