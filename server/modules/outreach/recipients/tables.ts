/** Of an entry in a ledger, whose tables are its owner's. `queued`: handed to a phone, the network has not answered yet. */
export type LedgerStatus = 'waiting' | 'queued' | 'sent' | 'failed' | 'skipped';
