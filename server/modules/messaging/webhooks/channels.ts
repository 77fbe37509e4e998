/** A project's webhook records have become due: `[account_id, project_id]`. */
export const webhooksChannel = 'dovepost_webhooks';
