export { forgetContactFacts, removeOldContactFacts } from './contact-facts.ts';
export { forgetHandsetNames, takeHandsetNames } from './handset-names.ts';
export type { HandsetName } from './handset-names.ts';
export { contactRoutes } from './routes.ts';
