import { expect, onTestFinished, test } from 'vitest';
import { helpText, runCommand } from './commands.ts';
import { PayPalStandIn } from './stand-in.ts';

test('a payer is played by typing', async () => {
  const paypal = await PayPalStandIn.listen();
  onTestFinished(() => paypal.close());
  const type = (line: string) => runCommand(paypal, line);
  expect(await type('cancel')).toBe('There is no subscription yet');
  const { id } = paypal.approveWithButtons({});
  expect(await type('broke')).toBe(`${id} ACTIVE, card refused: completed`);
  expect(await type(' bill ')).toBe(`${id} ACTIVE, card refused: completed, declined`);
  expect(await type('settle')).toBe(`${id} ACTIVE: completed, declined, completed`);
  expect(await type('suspend')).toContain('SUSPENDED');
  expect(await type('activate')).toContain('ACTIVE');
  expect(await type('refund')).toContain('refunded');
  expect(await type('cancel')).toContain('CANCELLED');
  await type('outage 503');
  await type('slow 10');
  await type('repeat 3');
  expect(paypal.faults).toMatchObject({ outage: 503, delayMs: 10 });
  expect(paypal.notifications.faults.times).toBe(3);
  expect(await type('outage sometimes')).toContain('One of none, refused');
  expect(await type('slow down')).toBe('A number is expected');
  expect(await type('constructor')).toBe(helpText);
  expect(await type('')).toBe('');
});
