import { lazyRouteComponent, type AsyncRouteComponent } from '@tanstack/react-router';

/** The code of a page could not be fetched: no connection, no server, or a newer version has replaced its files. */
export class PageCodeError extends Error {
  override readonly name = 'PageCodeError';
}

/** As Chromium and Firefox, Safari, and the loader of style sheets say it. */
const unfetched = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;

/** Of a page, or of a part that a page fetches when it needs it. */
export function isCodeMissing(error: unknown): boolean {
  return error instanceof PageCodeError || (error instanceof Error && unfetched.test(error.message));
}

/**
 * A page that is fetched when it is needed. A failed fetch is reported inside the shell: the router's own answer is to
 * reload, which without a server leaves nothing but the browser's error page.
 */
export function lazyPage<Name extends string, Page>(
  importPage: () => Promise<{ [name in Name]: Page }>,
  name: Name,
): Page extends (props: infer Props) => unknown ? AsyncRouteComponent<Props> : never {
  const load = async () => {
    try {
      return await importPage();
    } catch (cause) {
      throw new PageCodeError('The code of a page could not be fetched.', { cause });
    }
  };
  return lazyRouteComponent(load, name) as never;
}
