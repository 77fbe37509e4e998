import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { connectorTraits, type ConnectorName } from '#contracts/connectors.ts';
import { CardSkeleton } from '#web/shared/ui/card-skeleton.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { AddPhoneDialog } from '../add-phone-dialog.tsx';
import { SignUpCard } from '../sign-up/sign-up-card.tsx';
import { signUpQuery } from '../sign-up/sign-up-query.ts';
import { OfficialForm } from './official-form.tsx';
import { WayCards } from './way-cards.tsx';

/** Its credentials are entered on the page itself, below the ways. */
const isEntered = (connector: ConnectorName) => connectorTraits[connector].link === 'credentials';

function goOnHere(place: HTMLDivElement | null): void {
  place?.focus({ preventScroll: true });
  place?.scrollIntoView({ block: 'start' });
}

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
      {chosen !== undefined && isEntered(chosen) && (
        // The button that was pressed is gone: the keyboard, and on a small screen the eye, go on in the form.
        <div ref={goOnHere} tabIndex={-1} className="scroll-mt-18 outline-none">
          <Official projectId={projectId} />
        </div>
      )}
      {chosen !== undefined && !isEntered(chosen) && (
        <AddPhoneDialog projectId={projectId} connector={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}

/** By Meta's own window where the operator has an app there; else, or by choice, with an app of one's own. */
function Official({ projectId }: { projectId: number }) {
  const { data, isPending } = useQuery(signUpQuery);
  const [isOwnApp, setIsOwnApp] = useState(false);
  if (isPending) return <CardSkeleton className="h-68" />;
  const dialogUrl = data?.dialog_url ?? null;
  if (dialogUrl === null || isOwnApp) return <OfficialForm projectId={projectId} />;
  return <SignUpCard projectId={projectId} dialogUrl={dialogUrl} onOwnApp={() => setIsOwnApp(true)} />;
}
