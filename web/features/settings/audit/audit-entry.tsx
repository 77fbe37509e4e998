import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, ChevronRight, Cog, KeyRound } from 'lucide-react';
import type { AuditEvent } from '#contracts/audit.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { formatExactTime, formatTime } from '#web/shared/time-format.ts';
import { Avatar } from '#web/shared/ui/avatar.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { deviceName } from '../security/device-name.ts';
import { teamQuery } from '../team/queries.ts';
import { actOf, actWords } from './act-words.ts';
import { fieldText, typeText, valueText } from './audit-values.ts';

/** An act on one line: who did what to which thing; opened, how it was before and after. */
export function AuditEntry({ event }: { event: AuditEvent }) {
  const { actor, target, address, created_at: at } = event;
  return (
    <li>
      <details className="group">
        <summary className="grid cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-4 py-2.5 group-open:bg-accent-subtle hover:bg-hover sm:grid-cols-[2.5rem_auto_minmax(0,1fr)_auto_auto] sm:px-5">
          <time
            dateTime={at}
            className="text-13 text-muted tabular-nums max-sm:order-1 max-sm:row-start-2 max-sm:col-start-2"
          >
            {formatTime(at)}
          </time>
          <ActorMark actor={actor} />
          <span className="min-w-0 wrap-anywhere">
            <bdi className="font-medium">{actor.name}</bdi> <Sentence event={event} />
          </span>
          <span className="flex items-center gap-3 max-sm:hidden">
            <Tag>{typeText(target.type)}</Tag>
            <span className="w-28 text-right text-13 text-muted tabular-nums max-lg:hidden">
              {address ?? (actor.type === 'system' ? 'By itself' : '')}
            </span>
          </span>
          <ChevronRight
            aria-hidden="true"
            className="size-4 shrink-0 text-faint transition-transform group-open:rotate-90"
          />
        </summary>
        <Details event={event} />
      </details>
    </li>
  );
}

function ActorMark({ actor: { type, id, name } }: Pick<AuditEvent, 'actor'>) {
  if (type === 'user') return <Avatar id={id ?? 0} name={name} size="small" />;
  const Icon = type === 'system' ? Cog : KeyRound;
  return (
    <span className="grid size-6 shrink-0 place-items-center rounded-small bg-gray-wash text-gray-ink">
      <Icon aria-hidden="true" className="size-3.5" />
    </span>
  );
}

/** The whole number of a phone or a person, which is their name where nobody gave them one. */
const isNumber = /^\d{7,15}$/;

function Sentence({ event }: { event: AuditEvent }) {
  const { target } = event;
  const format = usePhoneFormat();
  const [before, after] = actWords(actOf(event));
  const name = target.name !== null && isNumber.test(target.name) ? format(target.name) : target.name;
  return (
    <span className="text-muted">
      {before}
      {after !== null && (
        <>
          {' '}
          {name === null ? 'without a name' : <bdi className="font-medium text-ink">{name}</bdi>} {after}
        </>
      )}
    </span>
  );
}

function Details({ event }: { event: AuditEvent }) {
  const { target, address, program, request_id: requestId, created_at: at } = event;
  const of = target.id === null ? undefined : `${target.type}:${target.id}`;
  const facts = [
    ['From', address],
    ['With', program === null ? null : deviceName(program)],
    ['Exactly', formatExactTime(at)],
    ['Request', requestId],
  ] as const;
  return (
    <div className="grid gap-x-8 gap-y-4 border-t px-4 py-4 text-13 sm:px-5 xl:grid-cols-[minmax(0,1fr)_20rem] xl:pl-16">
      <Changes event={event} />
      <div className="grid content-start gap-3">
        <dl className="grid content-start gap-1.5">
          {facts.map(
            ([term, value]) =>
              value !== null && (
                <div key={term} className="flex gap-4">
                  <dt className="w-16 shrink-0 text-muted">{term}</dt>
                  <dd className="min-w-0 flex-1 wrap-anywhere xl:text-right">
                    <bdi className={term === 'Request' ? 'font-mono text-12' : undefined}>{value}</bdi>
                  </dd>
                </div>
              ),
          )}
        </dl>
        {of !== undefined && (
          <Link
            to={paths.auditLog}
            search={{ target: of }}
            className="justify-self-start rounded-small text-accent-ink underline xl:justify-self-end"
          >
            All that was done to it
          </Link>
        )}
      </div>
    </div>
  );
}

function Changes({ event: { changes } }: { event: AuditEvent }) {
  const { data: team } = useQuery(teamQuery());
  const { data: projects = [] } = useQuery(projectsQuery());
  const names = { members: team?.members ?? [], projects };
  const rows = Object.entries(changes).filter(
    ([field, { before, after, hidden }]) =>
      hidden === true || valueText(field, before, names) !== valueText(field, after, names),
  );
  if (rows.length === 0) return <p className="text-muted">The act says all.</p>;
  return (
    <table className="w-full table-fixed self-start text-left">
      <thead className="text-muted">
        <tr className="border-b">
          <th scope="col" className="w-2/5 py-1.5 pr-3 font-medium">
            Setting
          </th>
          <th scope="col" className="py-1.5 pr-3 font-medium">
            Before
          </th>
          <th scope="col" className="w-8" aria-hidden="true" />
          <th scope="col" className="py-1.5 font-medium">
            After
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map(([field, { before, after, hidden }]) => (
          <tr key={field} className="align-top">
            <th scope="row" className="py-2 pr-3 font-normal wrap-anywhere">
              {fieldText(field)}
            </th>
            <td className="py-2 pr-3 wrap-anywhere">
              <bdi className="rounded-small bg-red-wash box-decoration-clone px-1.5 py-0.5 text-red-ink line-through">
                {hidden ? 'hidden' : valueText(field, before, names)}
              </bdi>
            </td>
            <td aria-hidden="true" className="py-2 text-faint">
              <ArrowRight className="mt-0.5 size-4" />
            </td>
            <td className="py-2 wrap-anywhere">
              <bdi className="rounded-small bg-green-wash box-decoration-clone px-1.5 py-0.5 text-green-ink">
                {hidden ? 'changed, hidden' : valueText(field, after, names)}
              </bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
