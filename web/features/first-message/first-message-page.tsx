import { useParams } from '@tanstack/react-router';
import { FirstMessage } from './first-message.tsx';

/** The page of a project on which the first message is sent. */
export function FirstMessagePage() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/first-message' });
  return <FirstMessage projectId={Number(projectId)} />;
}
