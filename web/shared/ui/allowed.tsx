import type { ReactNode } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../session.ts';

/** Shown to those alone whose role has the permission. */
export function Allowed({ needs, children }: { needs: Permission; children: ReactNode }) {
  return useCan()(needs) && children;
}
