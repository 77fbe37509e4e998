import { expect } from 'vitest';
import { getProfileImport, runProfileImport, uploadProfileImport } from '#contracts/profile-imports.ts';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import type { Worker } from './cluster.ts';
import type { Party } from './storm-scene.ts';

const rows = 600;
const goodRow = (index: number) => `+1415577${1001 + index},Person ${index},pro`;

/** A file of which one row is broken; the others are good. */
function fileWith(row: string): string {
  const lines = Array.from({ length: rows }, (_, index) => (index === rows / 2 ? row : goodRow(index)));
  return ['Phone,Name,Plan', ...lines, ''].join('\n');
}

export const brokenFiles: Readonly<Record<string, string | Uint8Array>> = {
  'a NUL in a cell': fileWith('+14155780001,A\u0000da,pro'),
  'an emoji at every cut': fileWith(`+14155780001,${'🕊️'.repeat(300)},${'🕊️'.repeat(5_000)}`),
  'a row that is too short': fileWith('+14155780001'),
  'a row that is too long': fileWith(`+14155780001${',x'.repeat(900)}`),
  'a quote in the middle': fileWith('+14155780001,"Ada" Lovelace,pro'),
  'a quote that never ends': fileWith('+14155780001,"Ada,pro'),
  'bytes that are no UTF-8': Buffer.concat([
    Buffer.from(fileWith('+14155780001,Ada,pro')),
    Buffer.from([0x2b, 0x31, 0xff, 0xfe, 0x2c, 0xc3, 0x28, 0x0a]),
  ]),
  'nothing but commas': `${','.repeat(400)}\n`.repeat(400),
};

export async function uploadFile({ product }: Worker, { token }: Party, body: string | Uint8Array): Promise<Response> {
  return fetch(`${product.url}${uploadProfileImport.path}?file_name=broken.csv`, {
    method: uploadProfileImport.method,
    headers: { authorization: token, 'content-type': 'text/csv' },
    body,
  });
}

function runImport({ product }: Worker, { token }: Party, importId: number): Promise<Response> {
  return fetch(product.url + runProfileImport.path.replace('{importId}', String(importId)), {
    method: runProfileImport.method,
    headers: { authorization: token, 'content-type': 'application/json', 'idempotency-key': `run ${importId}` },
    body: '{}',
  });
}

/** The file is refused as bad input, or imported to its end but for its bad row. Answers which. */
export async function importFile(worker: Worker, party: Party, body: string | Uint8Array): Promise<string> {
  const response = await uploadFile(worker, party, body);
  const answer = await response.text();
  if (response.status !== 201) {
    expect(answer, answer).toMatch(/"code":/);
    expect([400, 413, 422]).toContain(response.status);
    return `refused with ${response.status}`;
  }
  const { id: importId } = JSON.parse(answer) as ProfileImport;
  const run = await runImport(worker, party, importId);
  if (!run.ok) {
    expect([run.status, await run.text()]).toEqual([422, expect.stringMatching(/"code":/)]);
    return 'refused as it was run';
  }
  const status = async () => (await party.api().call(getProfileImport, { params: { importId } })).body.status;
  await expect.poll(status, { timeout: 60_000, interval: 100 }).toBe('completed');
  return 'completed';
}
