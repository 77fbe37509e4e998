import { useNavigate } from '@tanstack/react-router';
import { Box, Plus } from 'lucide-react';
import type { Project } from '#contracts/projects.ts';
import { paths } from '#web/shared/paths.ts';
import { projectLimitText, useProjectLimit } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';

export function QuickActions({ projects }: { projects: readonly Project[] | undefined }) {
  const navigate = useNavigate();
  const limit = useProjectLimit();
  const isFull = projects !== undefined && projects.length >= limit;
  return (
    <Card title="Quick Actions">
      <div className="grid gap-2">
        <Button
          needs="projects:write"
          icon={<Plus aria-hidden="true" className="size-4" />}
          disabled={isFull || projects === undefined}
          aria-describedby={isFull ? 'quick-actions-limit' : undefined}
          onClick={() => void navigate({ to: paths.newProject })}
        >
          Create New Project
        </Button>
        <Button
          icon={<Box aria-hidden="true" className="size-4" />}
          onClick={() => void navigate({ to: paths.projects })}
        >
          View All Projects
        </Button>
        {isFull && (
          <p id="quick-actions-limit" className="text-13 text-muted">
            {projectLimitText(limit)}
          </p>
        )}
      </div>
    </Card>
  );
}
