export { forgetContactFacts, removeOldContactFacts } from './contact-facts.ts';
export { contactRoutes } from './routes.ts';
