/** An operator acted: `{ operator, action, accountId, target }`. */
export const operatorActsChannel = 'dovepost_operator_acts';
