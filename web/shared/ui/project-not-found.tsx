import { Link } from '@tanstack/react-router';
import { Box } from 'lucide-react';
import { paths } from '../paths.ts';
import { buttonClass } from './button.tsx';
import { Card } from './card.tsx';
import { EmptyState } from './empty-state.tsx';

export function ProjectNotFound() {
  return (
    <Card flush>
      <EmptyState
        icon={<Box aria-hidden="true" />}
        title="Project not found."
        hint="It may have been deleted."
        action={
          <Link to={paths.projects} className={buttonClass()}>
            All projects
          </Link>
        }
      />
    </Card>
  );
}
