/** A campaign has something to do: `[account_id, campaign_id]`; all of an account: `[account_id]`. */
export const campaignsChannel = 'dovepost_campaigns';
