export { endAlerts } from './occasions/end-alerts.ts';
export { followStates, removeOldAlerts } from './occasions/follow-states.ts';
export { alertFirstContacts } from './occasions/alert-first-contacts.ts';
export { raiseAlerts } from './occasions/raise-alerts.ts';
export { findAlertTitles } from './list-alerts.ts';
export { alertRoutes } from './routes.ts';
export { createAlertMailer } from './mailing/alert-mailer.ts';
