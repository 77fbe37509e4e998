import type { CodeSample } from './code-example.tsx';

const recipient = '14155550132';
const text = 'Your order #4821 is on its way';

type SendMessageTarget = { origin: string; authKey: string };

/** A message in four languages; each runs as pasted. */
export function sendMessageSamples({ origin, authKey }: SendMessageTarget): readonly [CodeSample, ...CodeSample[]] {
  const url = `${origin}/api/send-message`;
  return [
    {
      language: 'curl',
      code: `curl ${url} \\
  -H 'x-auth-key: ${authKey}' \\
  -H 'content-type: application/json' \\
  -d '{
    "to": "${recipient}",
    "message": "${text}"
  }'`,
    },
    {
      language: 'javascript',
      code: `// Node 20 or newer: node send.mjs
const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    'x-auth-key': '${authKey}',
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    to: '${recipient}',
    message: '${text}',
  }),
});
console.log(response.status, await response.json());`,
    },
    {
      language: 'python',
      code: `# Python 3, nothing to install: python3 send.py
import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    "${url}",
    headers={
        "x-auth-key": "${authKey}",
        "content-type": "application/json",
    },
    data=json.dumps({
        "to": "${recipient}",
        "message": "${text}",
    }).encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    print(error.code, json.load(error))`,
    },
    {
      language: 'php',
      code: `<?php
// PHP 8, nothing to install: php send.php
$answer = file_get_contents('${url}', false, stream_context_create([
    'http' => [
        'method' => 'POST',
        'header' => [
            'x-auth-key: ${authKey}',
            'content-type: application/json',
        ],
        'content' => json_encode([
            'to' => '${recipient}',
            'message' => '${text}',
        ]),
        'ignore_errors' => true,
    ],
]));
echo $answer, PHP_EOL;`,
    },
  ];
}
