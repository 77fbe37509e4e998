/** The people that are written to: shares of those who were never written to before. */
export type World = { answers: number; optOuts: number; delivered: number; isAlike?: boolean };

export const worlds: Readonly<Record<string, World>> = {
  '20 % answer': { answers: 0.2, optOuts: 0.005, delivered: 0.97 },
  '5 % answer': { answers: 0.05, optOuts: 0.005, delivered: 0.97 },
  '2 % answer': { answers: 0.02, optOuts: 0.005, delivered: 0.97 },
  '1 % answer': { answers: 0.01, optOuts: 0.005, delivered: 0.97 },
  '5 % STOP': { answers: 0.08, optOuts: 0.05, delivered: 0.97 },
  '55 % delivered': { answers: 0.08, optOuts: 0.005, delivered: 0.55 },
  'the same words': { answers: 0.2, optOuts: 0.005, delivered: 0.97, isAlike: true },
};
