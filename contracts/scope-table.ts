import { permissionsOf } from './endpoint.ts';
import { endpoints } from './index.ts';
import { keyScopes, withheldWithout } from './permissions.ts';

/** Markdown: which scope opens which paths, and which fields are withheld without it. The guide to keys holds it. */
export function scopeTable(): string {
  const toKeys = endpoints.filter(({ callers }) => callers !== 'anyone' && callers.includes('project_key'));
  const opened = keyScopes.map((scope) => {
    const paths = toKeys
      .filter(({ permission }) => permission === scope)
      .toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`))
      .map((each) => {
        const more = permissionsOf(each).filter((needed) => needed !== scope);
        return `\`${each.method} ${each.path}\`${more.map((needed) => ` (with \`${needed}\`)`).join('')}`;
      });
    return `| \`${scope}\` | ${paths.join('<br>')} |`;
  });
  const withheld = withheldWithout.map(
    ({ permission, things, fields }) =>
      `| ${things} | ${fields} | ${permission === 'session' ? 'a session' : `\`${permission}\``} |`,
  );
  return [
    '| Scope | Opens |',
    '| --- | --- |',
    ...opened,
    '',
    '| Answers about | hold | only with |',
    '| --- | --- | --- |',
    ...withheld,
  ].join('\n');
}
