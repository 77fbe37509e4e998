/** What has become of a row that was sent to; `error` says why it failed. */
export type Outcome = { status: 'sending' } | { status: 'sent' } | { status: 'failed'; error: string };
export type SettledOutcome = Exclude<Outcome, { status: 'sending' }>;
