import type pg from 'pg';

/** By text, the tables in which it stands, in whatever column, of whichever account; some keep text as bytes. */
export async function findTexts(pool: pg.Pool, texts: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const places = new Map<string, string[]>();
  for (const { name } of rows) {
    const { rows: hits } = await pool.query<{ text: string }>(
      `select searched.it as text from unnest($1::text[]) as searched (it)
        where exists (select from ${name} t
                       where strpos(lower(to_jsonb(t)::text), lower(searched.it)) > 0
                          or strpos(to_jsonb(t)::text, encode(convert_to(searched.it, 'UTF8'), 'hex')) > 0)`,
      [texts],
    );
    for (const { text } of hits) places.set(text, [...(places.get(text) ?? []), name]);
  }
  return places;
}

export async function tablesWith(pool: pg.Pool, text: string): Promise<string[]> {
  return (await findTexts(pool, [text])).get(text) ?? [];
}
