import { expect, test } from 'vitest';
import { asksForPasskey } from './passkey.ts';

const node = (
  tag: string,
  attrs: Record<string, string>,
  content: { tag: string; attrs: Record<string, string> }[] = [],
) => ({
  tag,
  attrs,
  content,
});
const code = (content: { tag: string; attrs: Record<string, string> }[]) =>
  node('notification', { type: 'link_code_companion_reg' }, [
    node('link_code_companion_reg', { stage: 'primary_hello' }, content),
  ]);

test.each([
  [node('notification', { type: 'passkey_prologue_request' }), true],
  [node('notification', { type: 'w:x' }, [node('crsc_continuation', {})]), true],
  [code([]), true],
  [code([node('link_code_pairing_wrapped_primary_ephemeral_pub', {})]), false],
  [node('notification', { type: 'devices' }), false],
  [node('message', { type: 'passkey_prologue_request' }), false],
])('%#', (received, expected) => {
  expect(asksForPasskey(received)).toBe(expected);
});
