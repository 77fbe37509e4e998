import { expect, onTestFinished, test } from 'vitest';
import { takeEarlyAnswer } from './early-answers.ts';

const path = '/api/user/me';
const as = (token: string, method = 'GET') => ({ method, headers: { authorization: token } });

function askEarly({ token = 'ada', at = performance.now() } = {}): Promise<Response> {
  const answer = Promise.resolve(new Response('{}'));
  window.earlyAnswers = { token, at, answers: { [path]: answer } };
  onTestFinished(() => {
    delete window.earlyAnswers;
  });
  return answer;
}

test('is handed out once', () => {
  const answer = askEarly();
  expect(takeEarlyAnswer(path, as('ada'))).toBe(answer);
  expect(takeEarlyAnswer(path, as('ada'))).toBeUndefined();
});

test('is for what was asked alone', () => {
  const answer = askEarly();
  expect(takeEarlyAnswer('/api/projects', as('ada'))).toBeUndefined();
  expect(takeEarlyAnswer(path, as('ada', 'PUT'))).toBeUndefined();
  expect(takeEarlyAnswer(path, as('ada'))).toBe(answer);
});

test('is never for somebody else, nor later for who asked', () => {
  void askEarly();
  expect(takeEarlyAnswer(path, as('grace'))).toBeUndefined();
  expect(takeEarlyAnswer(path, as('ada'))).toBeUndefined();
});

test('is not handed out once it may be out of date', () => {
  void askEarly({ at: performance.now() - 10_001 });
  expect(takeEarlyAnswer(path, as('ada'))).toBeUndefined();
});

test('there is none where nothing was asked', () => {
  expect(takeEarlyAnswer(path, as('ada'))).toBeUndefined();
});
