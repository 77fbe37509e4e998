import { onTestFinished, vi } from 'vitest';

/** What the server answers: a status, a JSON body, and headers beside its type. */
export type Answer = { status?: number; body: unknown; headers?: Record<string, string> };

/**
 * Stands in for the server until the test ends. `answers` maps `GET /api/projects` to what is answered, or to a
 * function of the request; the requests that came are returned, and any other fails.
 */
export function answerRequests(answers: Record<string, (request: Request) => Answer | Promise<Answer>>): Request[] {
  const requests: Request[] = [];
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    requests.push(request);
    const name = `${request.method} ${new URL(request.url).pathname}`;
    const answer = answers[name];
    if (answer === undefined) throw new TypeError(`No answer for ${name}`);
    const { status = 200, body, headers = {} } = await answer(request.clone());
    return Response.json(body, { status, headers });
  });
  onTestFinished(() => spy.mockRestore());
  return requests;
}

export function problem(status: number, code: string, message: string): Answer {
  return { status, body: { code, message, request_id: 'test' } };
}
