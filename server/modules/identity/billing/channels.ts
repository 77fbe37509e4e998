/** Billing has something to do in the background: `events`, `payments` or `notices`. */
export const billingChannel = 'dovepost_billing';
