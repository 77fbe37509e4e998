type Value = string | number | boolean;
export type Values = Readonly<Record<string, Value | readonly Value[] | undefined>>;

/** Method and address of an endpoint's name, such as `GET /api/projects/{projectId}`, with its parameters filled in. */
export function addressOf(name: string, { params = {}, query = {} }: { params?: Values; query?: Values }) {
  const [method = 'GET', template = ''] = name.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(String(params[parameter])));
  return { method, path, url: path + queryString(query) };
}

function queryString(query: Values): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // A list is its name with each of its values.
    for (const each of [value].flat()) if (each !== undefined && each !== '') search.append(name, String(each));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
