import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConnectorName } from '#contracts/connectors.ts';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { AddPhoneDialog } from '../add-phone-dialog.tsx';
import { OfficialForm } from './official-form.tsx';
import { WayCards } from './way-cards.tsx';

/** Three ways to connect a number, and what each costs; the official one is entered here. */
export function ConnectNumberPage() {
  const projectId = Number(useParams({ from: '/shell/projects/$projectId/phone-numbers/connect' }).projectId);
  const [chosen, setChosen] = useState<ConnectorName>();
  if (!Number.isSafeInteger(projectId) || projectId <= 0) return <NotFoundCard kind="project" />;
  return (
    <>
      <PageHeader
        title="Connect a number"
        description="Three ways, and what each one costs you. You can have all three side by side."
      />
      <WayCards chosen={chosen} onChoose={setChosen} />
      {chosen === 'cloud' && <OfficialForm projectId={projectId} />}
      {chosen !== undefined && chosen !== 'cloud' && (
        <AddPhoneDialog projectId={projectId} connector={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}
