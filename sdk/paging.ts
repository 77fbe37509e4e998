export type Page<T, Next> = { data: T[]; next: Next | undefined };

/** All items of a list, page by page: `for await (const item of list)`; `list.pages()` gives whole pages. */
export type Paged<T> = AsyncIterable<T> & { pages(): AsyncIterable<T[]> };

/** `read` answers a page and where the next one begins; undefined after the last. */
export function paged<T, Next>(read: (next: Next | undefined) => Promise<Page<T, Next>>): Paged<T> {
  async function* pages(): AsyncGenerator<T[]> {
    let next: Next | undefined;
    do {
      const page = await read(next);
      if (page.data.length > 0) yield page.data;
      ({ next } = page);
    } while (next !== undefined);
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
  };
}

type Numbered<T> = { data: T[]; total: number; page: number; pageSize: number };

/** The next one of pages that are counted. */
export function nextOf<T>({ data, total, page, pageSize }: Numbered<T>): Page<T, number> {
  return { data, next: page * pageSize < total && data.length > 0 ? page + 1 : undefined };
}
