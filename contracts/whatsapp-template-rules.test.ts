import { expect, test } from 'vitest';
import type { TemplateComponent } from './whatsapp-template-parts.ts';
import { templateFaults } from './whatsapp-template-rules.ts';

const body: TemplateComponent = { type: 'BODY', text: 'Your order is ready.' };
const reply = { type: 'QUICK_REPLY', text: 'Thanks' };
const page = { type: 'URL', text: 'See it', url: 'https://shop.example/orders' };
const call = { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+351 210 555 480' };
const code = { type: 'COPY_CODE', example: 'SPRING20' };

type Buttons = NonNullable<TemplateComponent['buttons']>;

const faultsOf = (buttons: Buttons, category = 'marketing') =>
  templateFaults({ category, parameter_format: 'named', components: [body, { type: 'BUTTONS', buttons }] });

test('a template may have replies, two pages, a call and a code, side by side by their kind', () => {
  expect(faultsOf([reply, reply, page, page, call, code])).toEqual([]);
  expect(faultsOf([page, call, reply])).toEqual([]);
  expect(faultsOf([page, call, reply, reply])).toEqual([]);
  expect(faultsOf(Array.from({ length: 10 }, () => reply))).toEqual([]);
});

test.for<[string, Buttons, string]>([
  ['no words', [{ type: 'QUICK_REPLY', text: ' ' }], 'buttons.0.text'],
  ['words with a variable', [{ type: 'QUICK_REPLY', text: 'Hi {{name}}' }], 'buttons.0.text'],
  ['words that are too long', [{ ...page, text: 'x'.repeat(26) }], 'buttons.0.text'],
  ['no address', [{ type: 'URL', text: 'See it' }], 'buttons.0.url'],
  ['an address without a host', [{ ...page, url: 'https://' }], 'buttons.0.url'],
  ['a variable amid the address', [{ ...page, url: 'https://a.example/{{1}}/x', example: ['a'] }], 'buttons.0.url'],
  ['two variables', [{ ...page, url: 'https://a.example/{{1}}{{2}}', example: ['a'] }], 'buttons.0.url'],
  ['a variable without an example', [{ ...page, url: 'https://a.example/{{1}}' }], 'buttons.0.example'],
  ['no number to call', [{ ...call, phone_number: '' }], 'buttons.0.phone_number'],
  ['no code', [{ type: 'COPY_CODE' }], 'buttons.0.example'],
  ['a long code', [{ type: 'COPY_CODE', example: ['x'.repeat(16)] }], 'buttons.0.example'],
  ['three pages', [page, page, page], 'buttons.2.type'],
  ['two calls', [call, call], 'buttons.1.type'],
  ['two codes', [code, code], 'buttons.1.type'],
  ['replies on both sides of a page', [reply, page, reply], 'buttons'],
  ['pages on both sides of a reply', [page, reply, page], 'buttons'],
  [
    'a number of more than 20 characters',
    [{ ...call, phone_number: '+351 210 555 480 0000' }],
    'buttons.0.phone_number',
  ],
  ['eleven buttons', Array.from({ length: 11 }, () => reply), 'buttons'],
])('buttons with %s are refused at their place', ([, buttons, path]) => {
  expect(faultsOf(buttons).map((fault) => fault.path)).toEqual([`components.1.${path}`]);
});

test('the network writes the words of an authentication template itself', () => {
  const components = [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ];
  expect(templateFaults({ category: 'authentication', parameter_format: 'positional', components })).toEqual([]);
});
