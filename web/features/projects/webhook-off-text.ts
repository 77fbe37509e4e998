/** Beside what is not sent while the webhook URL is switched off; the server's words too. */
export const webhookOffText = 'The webhook URL was switched off. Save it again to switch it on.';

export const endpointOffText = 'This endpoint was switched off. Save its URL again to switch it on.';
