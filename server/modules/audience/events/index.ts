export { keepEventBudgets, noteErasedEvents, recountEvents, removeOldEventKeys } from './keep-budget.ts';
export { eventRoutes } from './routes.ts';
