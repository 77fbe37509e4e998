import { describe, expect, test } from 'vitest';
import { forbiddenAddressReason, forbiddenUrlReason } from './address-policy.ts';

describe('forbiddenAddressReason', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '64:ff9b::a83f:8110',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::',
    '2002:808:808::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '100::1',
    '4000::1',
  ])('refuses %s', (address) => {
    expect(forbiddenAddressReason(address)).toMatch(/^The address \S+ is [\w -]+ and not allowed$/);
  });

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('allows %s', (address) => {
    expect(forbiddenAddressReason(address)).toBeUndefined();
  });

  test('says what kind of address it is', () => {
    expect(forbiddenAddressReason('10.0.0.1')).toBe('The address 10.0.0.1 is private and not allowed');
    expect(forbiddenAddressReason('::ffff:7f00:1')).toBe('The address 127.0.0.1 is this machine and not allowed');
    expect(forbiddenAddressReason('169.254.169.254')).toBe('The address 169.254.169.254 is link-local and not allowed');
  });
});

describe('forbiddenUrlReason', () => {
  test.each([
    'http://127.0.0.1/hook',
    'http://127.1/hook',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://[64:ff9b::7f00:1]/',
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'http://localhost./',
    'http://api.localhost/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.8/',
    'http://0/',
  ])('refuses %s unless private addresses are allowed', (url) => {
    expect(forbiddenUrlReason(url, false)).toMatch(/not allowed$/);
    expect(forbiddenUrlReason(url, true)).toBeUndefined();
  });

  test.each(['ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'ws://example.com'])(
    'refuses %s, which is not http',
    (url) => {
      expect(forbiddenUrlReason(url, true)).toBe('The URL must start with http:// or https://');
    },
  );

  test.each(['https://user@example.com/', 'https://user:secret@example.com/', 'https://:secret@example.com/'])(
    'refuses the credentials in %s',
    (url) => {
      expect(forbiddenUrlReason(url, true)).toBe('The URL must not carry a user name or password');
    },
  );

  test.each(['not a url', '', 'http://', 'http://999.1.1.1/', 'http://[::g]/'])('refuses %o as no URL', (url) => {
    expect(forbiddenUrlReason(url, true)).toBe('Enter a valid URL');
  });

  test.each([22, 25, 110, 143, 1023, 3306, 5432, 6379, 9200, 11211, 27017])('refuses port %i', (port) => {
    expect(forbiddenUrlReason(`https://example.com:${port}/hook`, false)).toMatch(/^The port \d+ belongs to another/);
    expect(forbiddenUrlReason(`http://localhost:${port}/hook`, true)).toBeUndefined();
  });

  test.each([80, 443, 1024, 3000, 8080, 8443, 65_535])('allows port %i', (port) => {
    expect(forbiddenUrlReason(`https://example.com:${port}/hook`, false)).toBeUndefined();
  });

  test.each(['https://example.com/hook?a=1', 'http://example.com:8080/', 'https://8.8.8.8/', 'https://localhost.dev/'])(
    'allows %s',
    (url) => {
      expect(forbiddenUrlReason(url, false)).toBeUndefined();
    },
  );
});
