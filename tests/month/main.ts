/** Prints what becomes of three new numbers under a campaign of 20,000 in a simulated month. */
import { simulateMonth } from './simulate-month.ts';

console.table({
  'protected, WhatsApp tells its cap': simulateMonth({ isProtected: true, tellsCap: true }),
  'protected, WhatsApp tells nothing': simulateMonth({ isProtected: true, tellsCap: false }),
  'protection off': simulateMonth({ isProtected: false, tellsCap: false }),
});
