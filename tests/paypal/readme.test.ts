import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { premiumPlan } from '#contracts/billing.ts';
import { PayPalStandIn } from './stand-in.ts';

const run = promisify(execFile);

test('the plan that the README sets up at PayPal, as pasted, is the plan on offer', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  const section = /\n## Take payments\n([\s\S]+?)\n## /.exec(readme)?.[1] ?? '';
  const blocks = [...section.matchAll(/```bash\n([\s\S]+?)```/g)].map(([, block]) => block);
  expect(blocks).toHaveLength(2);
  const paypal = await PayPalStandIn.listen();
  onTestFinished(() => paypal.close());
  const script = blocks.join('\n').replace('https://api-m.sandbox.paypal.com', paypal.url);
  const typed = run('bash', ['-euo', 'pipefail', '-c', script]);
  typed.child.stdin?.end(`${paypal.clientId}\n${paypal.clientSecret}\n`);
  const { stdout } = await typed;
  const [, planId = '', webhookId] = /^PAYPAL_PLAN_ID=(\S+) PAYPAL_WEBHOOK_ID=(\S+)$/m.exec(stdout) ?? [];
  expect(webhookId).toBe(paypal.webhookId);
  const { price, duration, currency } = premiumPlan;
  expect(paypal.ledger.plans.get(planId)).toMatchObject({
    months: duration,
    price: { value: price.toFixed(2), currency_code: currency },
  });
});
