export { answerQuestion, claimQuestions, removeOldQuestions } from './answer-questions.ts';
export type { ClaimedQuestion } from './answer-questions.ts';
export { askPhone } from './ask-phone.ts';
export { phoneQuestionsChannel } from './channels.ts';
export { forgetChecks, removeOldChecks } from './check-number.ts';
export { askingRoutes } from './routes.ts';
