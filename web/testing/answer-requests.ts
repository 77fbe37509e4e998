import { expect, onTestFinished, vi } from 'vitest';
import { endpoints } from '#contracts/index.ts';
import { unknownNames } from '#contracts/unknown-names.ts';

/** The server's answer: a status, a JSON body or the bytes of a file, and headers beside its type. */
export type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };

/**
 * Stands in for the server until the test ends. `answers` maps `GET /api/projects` to what is answered, or to a
 * function of the request; the requests that came are returned, and any other fails. A test fails, too, whose page sends
 * names that the server does not know. Drafts and a number for tests are kept for nobody, and a project has no numbers,
 * and no field a name, unless a test answers for them.
 */
export function answerRequests(answers: Record<string, (request: Request) => Answer | Promise<Answer>>): Request[] {
  const requests: Request[] = [];
  const checks: Promise<string[]>[] = [];
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const name = `${request.method} ${new URL(request.url).pathname}`;
    const answer = answers[name] ?? ownAnswer(request);
    if (answers[name] !== undefined || answer === undefined) requests.push(request);
    if (answer === undefined) throw new TypeError(`No answer for ${name}`);
    checks.push(unknownTo(request));
    const { status = 200, body, headers = {} } = await answer(request.clone());
    if (status === 204) return new Response(null, { status, headers });
    return body instanceof Blob ? new Response(body, { status, headers }) : Response.json(body, { status, headers });
  });
  const ownXhr = globalThis.XMLHttpRequest;
  globalThis.XMLHttpRequest = UploadRequest as unknown as typeof XMLHttpRequest;
  onTestFinished(async () => {
    spy.mockRestore();
    globalThis.XMLHttpRequest = ownXhr;
    expect((await Promise.all(checks)).flat()).toEqual([]);
  });
  return requests;
}

/** Pages keep drafts and a number for the person: nothing before, and everything from then on. A project has no numbers. */
function ownAnswer(request: Request): ((request: Request) => Promise<Answer>) | undefined {
  if (new URL(request.url).pathname === '/api/user/test-number') {
    return async (asked) => ({ body: asked.method === 'GET' ? { phone: null } : await asked.json() });
  }
  const { pathname } = new URL(request.url);
  if (request.method === 'GET' && /^\/api\/projects\/\d+\/phone-numbers$/.test(pathname)) {
    return () => Promise.resolve({ body: { data: [] } });
  }
  if (request.method === 'GET' && pathname === '/api/fields') return () => Promise.resolve({ body: { data: [] } });
  const [, kind, key] = /^\/api\/drafts(?:\/(\w+)\/([^/]+))?$/.exec(new URL(request.url).pathname) ?? [];
  if (!new URL(request.url).pathname.startsWith('/api/drafts')) return undefined;
  return async (asked) => {
    if (asked.method === 'GET') return { body: { data: [] } };
    if (asked.method === 'DELETE') return { status: 204 };
    const { content } = (await asked.json()) as { content: unknown };
    return { body: { kind, key, content, revision: 1, updated_at: '2026-10-14T09:12:00.000Z' } };
  };
}

/** The names in a request that its endpoint does not know; a body that is no JSON is left alone. */
async function unknownTo(request: Request): Promise<string[]> {
  const { pathname, searchParams } = new URL(request.url);
  const ofMethod = endpoints.filter(({ method }) => method === request.method);
  const endpoint =
    ofMethod.find(({ path }) => path === pathname) ??
    ofMethod.find(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname));
  if (!endpoint) return [`${request.method} ${pathname}`];
  const isJson = request.headers.get('content-type') === 'application/json';
  const names = [
    ...unknownNames(Object.fromEntries(searchParams), { schema: endpoint.query, most: 10 }),
    ...(isJson ? unknownNames(await request.clone().json(), { schema: endpoint.body, most: 10 }) : []),
  ];
  return names.map(({ path, message }) => `${request.method} ${pathname} ${path}: ${message}`);
}

/** An upload that is answered as every other request: half of it has left before the answer. */
class UploadRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly #abort = new AbortController();
  readonly #headers = new Headers();
  #target = { method: 'GET', url: '' };
  #answer: Response | undefined;
  status = 0;
  responseText = '';

  open(method: string, url: string): void {
    this.#target = { method, url };
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  getResponseHeader(name: string): string | null {
    return this.#answer?.headers.get(name) ?? null;
  }

  abort(): void {
    this.#abort.abort();
  }

  send(body: Blob): void {
    void this.#run(body);
  }

  async #run(body: Blob): Promise<void> {
    const { method, url } = this.#target;
    this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: Math.floor(body.size / 2), total: body.size }));
    try {
      this.#answer = await fetch(url, { method, headers: this.#headers, body, signal: this.#abort.signal });
      this.status = this.#answer.status;
      this.responseText = await this.#answer.text();
      if (!this.#abort.signal.aborted) this.dispatchEvent(new ProgressEvent('load'));
    } catch {
      if (!this.#abort.signal.aborted) this.dispatchEvent(new ProgressEvent('error'));
    }
  }
}

export function problem(status: number, code: string, message: string): Answer {
  return { status, body: { code, message, request_id: 'test' } };
}
