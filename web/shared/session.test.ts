import { expect, onTestFinished, test } from 'vitest';
import { sampleUser } from '#web/testing/samples.ts';
import { clearSession, getSession, setCurrentProject, startSession } from './session.ts';

const stored = () => localStorage.getItem('dovepost.session') ?? '';

test('the browser keeps the token, who it is and the project, and never the API key', () => {
  onTestFinished(clearSession);
  const user = sampleUser();
  startSession({ token: 'token', user });
  setCurrentProject(7);
  const { id, name, email } = user;
  expect(JSON.parse(stored())).toEqual({ token: 'token', user: { id, name, email }, currentProjectId: 7 });
  expect(stored()).not.toContain(user.api_key);
  expect(getSession().user?.api_key).toBe(user.api_key);
});

test('another tab that changes the project leaves the user here', () => {
  onTestFinished(clearSession);
  startSession({ token: 'token', user: sampleUser() });
  localStorage.setItem('dovepost.session', JSON.stringify({ token: 'token', user: null, currentProjectId: 8 }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'dovepost.session' }));
  expect(getSession()).toMatchObject({ currentProjectId: 8, user: { id: sampleUser().id } });
  localStorage.removeItem('dovepost.session');
  window.dispatchEvent(new StorageEvent('storage', { key: 'dovepost.session' }));
  expect(getSession()).toMatchObject({ token: null, user: null, identity: null });
});

test('the next visit starts with what the browser has kept', async () => {
  onTestFinished(clearSession);
  const user = { id: 1, name: 'Ada', email: 'ada@example.com' };
  localStorage.setItem('dovepost.session', JSON.stringify({ token: 'token', user, currentProjectId: 9 }));
  const address = './session.ts?next-visit';
  const visit = (await import(/* @vite-ignore */ address)) as { getSession: typeof getSession };
  expect(visit.getSession()).toMatchObject({ token: 'token', identity: user, user: null, currentProjectId: 9 });
});
