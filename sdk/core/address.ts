export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** Method and address of an endpoint's name, such as `GET /api/projects/{projectId}`, with its parameters filled in. */
export function addressOf(name: string, { params = {}, query = {} }: { params?: Values; query?: Values }) {
  const [method = 'GET', template = ''] = name.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(String(params[parameter])));
  return { method, path, url: path + queryString(query) };
}

function queryString(query: Values): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
