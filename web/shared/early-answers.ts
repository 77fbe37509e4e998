declare global {
  interface Window {
    /**
     * The requests that the page made before the app ran (`web/head/ask-early.js`); `at` counts as `performance.now`
     * does.
     */
    earlyAnswers?: { token: string; at: number; answers: Partial<Record<string, Promise<Response>>> };
  }
}

/** An answer that nobody has taken by then may be out of date. */
const keptMs = 10_000;

/** The answer that is on its way already, once, if it is for whom `init` speaks for. */
export function takeEarlyAnswer(url: string, init: RequestInit): Promise<Response> | undefined {
  const { earlyAnswers } = window;
  if (earlyAnswers === undefined) return undefined;
  const isForThem = new Headers(init.headers).get('authorization') === earlyAnswers.token;
  if (!isForThem || performance.now() - earlyAnswers.at > keptMs) {
    delete window.earlyAnswers;
    return undefined;
  }
  const answer = init.method === 'GET' ? earlyAnswers.answers[url] : undefined;
  if (answer !== undefined) delete earlyAnswers.answers[url];
  return answer;
}
