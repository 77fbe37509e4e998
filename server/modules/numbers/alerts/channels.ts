/** Mails about alerts may be due; the payload says nothing. */
export const alertsChannel = 'dovepost_alerts';
