import { expect, test } from 'vitest';
import { clientNetwork, withoutPort } from './client-network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['not an address', 'not an address'],
])('%s is counted as %s', (ip, network) => {
  expect(clientNetwork(ip)).toBe(network);
});

test.each([
  ['192.0.2.7:5121', '192.0.2.7'],
  [' [2001:db8::1]:5121', '2001:db8::1'],
  ['[::ffff:192.0.2.7]', '::ffff:192.0.2.7'],
  ['2001:db8::1', '2001:db8::1'],
  [' 192.0.2.7 ', '192.0.2.7'],
  ['unknown', 'unknown'],
])('a proxy writes "%s" of %s', (written, address) => {
  expect(withoutPort(written)).toBe(address);
});
