import { Check } from 'lucide-react';
import type { Permission } from '#contracts/permissions.ts';
import { can, roles } from '#contracts/roles.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ScrollRegion } from '#web/shared/ui/scroll-region.tsx';
import { roleNames } from './role-words.ts';

const abilities: readonly (readonly [words: string, permission: Permission])[] = [
  ['Billing, other owners', 'billing:write'],
  ['People, projects, settings', 'team:write'],
  ['Numbers', 'phones:write'],
  ['Keys, webhooks, logs', 'keys:write'],
  ['Campaigns, flows, bulk runs', 'campaigns:write'],
  ['Templates', 'templates:write'],
  ['Edit contacts and segments', 'contacts:write'],
  ['Audit log', 'audit:read'],
  ['Exports', 'data:export'],
  ['Send and answer', 'messages:send'],
  ['Read messages and contacts', 'messages:read'],
];

/** The table that the server decides by, in words. */
export function RolesCard() {
  return (
    <Card title="What each role may do" description="Each holds in the projects that the member sees." flush>
      <ScrollRegion label="Roles and abilities" className="relative overflow-x-auto">
        <table className="w-full text-13">
          <thead>
            <tr className="border-b text-left text-muted">
              <th scope="col" className="px-4 py-2 sm:px-5">
                <span className="sr-only">Ability</span>
              </th>
              {roles.map((role) => (
                <th key={role} scope="col" className="px-3 py-2 text-center font-medium">
                  {roleNames[role]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {abilities.map(([words, permission]) => (
              <tr key={permission}>
                <th scope="row" className="px-4 py-2 text-left font-normal whitespace-nowrap sm:px-5">
                  {words}
                </th>
                {roles.map((role) => (
                  <td key={role} className="px-3 py-2 text-center">
                    {can({ role, projectIds: null }, permission) ? (
                      <>
                        <Check aria-hidden="true" className="mx-auto size-4 text-accent-ink" />
                        <span className="sr-only">Yes</span>
                      </>
                    ) : (
                      <>
                        <span aria-hidden="true" className="text-faint">
                          –
                        </span>
                        <span className="sr-only">No</span>
                      </>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  );
}
