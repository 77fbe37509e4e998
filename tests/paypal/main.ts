/**
 * The stand-in as a process of its own, to try the product's checkout by hand: prints the settings that make the
 * product use it, delivers events to PUBLIC_URL, and does what is typed (`help` lists it). Stops when its standard
 * input closes.
 */
import { createInterface } from 'node:readline';
import { runCommand } from './commands.ts';
import { PayPalStandIn } from './stand-in.ts';

const paypal = await PayPalStandIn.listen({ port: Number(process.env['PORT'] ?? 0) });
paypal.notifyProduct(process.env['PUBLIC_URL'] ?? 'http://localhost:3000');
for (const [name, value] of Object.entries(paypal.settings)) console.log(`export ${name}=${value}`);

// Charges periods that fall due while no requests come.
setInterval(() => paypal.ledger.runDue(), 1000).unref();
for await (const line of createInterface({ input: process.stdin })) console.log(await runCommand(paypal, line));
process.exit(0);
