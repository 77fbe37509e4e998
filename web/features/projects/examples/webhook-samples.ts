import type { CodeSample } from '#web/shared/code/code-example.tsx';

const receiverPort = 8080;

const id = 'evt_example';

const payload = {
  id,
  type: 'message.received',
  timestamp: '2026-11-20T14:06:31.000Z',
  data: {
    id: 90412,
    from: '447700900418',
    to: '14155550118',
    message: 'Thanks! When will it arrive?',
    direction: 'incoming',
    status: 'delivered',
  },
  sequence: 128,
};

type WebhookReceiver = {
  /** The project's, `whsec_` and base64. */
  secret: string;
  /** Where the curl example posts to; the receivers of the other examples listen on this machine. */
  url: string | null;
};

/**
 * A sample event, and receivers that check its signature (Standard Webhooks: HMAC-SHA256 over id, time and body, the
 * key in base64). Each runs as pasted.
 */
export function webhookSamples({ secret, url }: WebhookReceiver): readonly [CodeSample, ...CodeSample[]] {
  const key = secret.replace(/^whsec_/, '');
  // Quoted for a shell.
  const target = (url ?? `http://localhost:${receiverPort}`).replaceAll("'", '%27');
  return [
    { language: 'json', code: JSON.stringify(payload, null, 2) },
    { language: 'curl', code: curlSample(key, target) },
    { language: 'javascript', code: javascriptSample(key) },
    { language: 'python', code: pythonSample(key) },
    { language: 'php', code: phpSample(key) },
  ];
}

function curlSample(key: string, url: string): string {
  return `# Posts this payload to your receiver, signed as ours are.
id=${id}
timestamp=$(date +%s)
body='${JSON.stringify(payload)}'
key=$(printf %s '${key}' | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf %s "$id.$timestamp.$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

curl -i '${url}' \\
  -H 'content-type: application/json' \\
  -H "webhook-id: $id" \\
  -H "webhook-timestamp: $timestamp" \\
  -H "webhook-signature: v1,$signature" \\
  -d "$body"`;
}

function javascriptSample(key: string): string {
  return `// Node 20 or newer: node webhook.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from('${key}', 'base64');
const maxAgeSeconds = 300;

function isGenuine(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= maxAgeSeconds)) return false;
  const signature = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest('base64');
  const expected = Buffer.from(\`v1,\${signature}\`);
  return (headers['webhook-signature'] ?? '').split(' ').some((given) => {
    const actual = Buffer.from(given);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
}

createServer(async (request, response) => {
  request.setEncoding('utf8');
  let body = '';
  for await (const chunk of request) body += chunk;
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const event = JSON.parse(body);
  console.log(event.type, event.data);
  response.writeHead(204).end();
}).listen(${receiverPort});`;
}

function pythonSample(key: string): string {
  return `# Python 3, nothing to install: python3 webhook.py
import base64
import hashlib
import hmac
import json
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode("${key}")
MAX_AGE_SECONDS = 300


def is_genuine(headers, body):
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > MAX_AGE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(expected, signature) for signature in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:
            event = json.loads(body)
            print(event["type"], event["data"])


HTTPServer(("", ${receiverPort}), Receiver).serve_forever()`;
}

function phpSample(key: string): string {
  return `<?php
// PHP 8, nothing to install: php -S localhost:${receiverPort} webhook.php
const MAX_AGE_SECONDS = 300;

function isGenuine(string $body): bool {
    $key = base64_decode('${key}');
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > MAX_AGE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input');
if (!isGenuine($body)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
error_log($event['type'] . ' ' . json_encode($event['data']));
http_response_code(204);`;
}
