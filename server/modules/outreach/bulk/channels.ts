/** A bulk run has something to do: `[account_id, run_id]`; all of an account: `[account_id]`. */
export const bulkRunsChannel = 'dovepost_bulk_runs';
