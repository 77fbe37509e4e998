/** A mail was stored with a change and may be sent; the payload says nothing. */
export const mailsChannel = 'dovepost_mails';
