/** Phones with questions that wait: a JSON list of ids. */
export const phoneQuestionsChannel = 'dovepost_phone_questions';

/** Questions that were answered: a JSON list of ids. */
export const phoneAnswersChannel = 'dovepost_phone_answers';
