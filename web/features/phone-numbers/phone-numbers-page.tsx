import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Plus, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { phoneNumbersQuery } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { AddPhoneDialog } from './add-phone-dialog.tsx';
import { PhoneCard } from './phone-card.tsx';
import { PhoneCardSkeleton } from './phone-card-skeleton.tsx';

const plus = <Plus aria-hidden="true" className="size-4" />;

export function PhoneNumbersPage() {
  const projectId = Number(useParams({ from: '/shell/projects/$projectId/phone-numbers' }).projectId);
  const [isAdding, setAdding] = useState(false);
  const isId = Number.isSafeInteger(projectId) && projectId > 0;
  const query = useQuery({ ...phoneNumbersQuery(projectId), enabled: isId });
  const add = () => setAdding(true);
  useNewOnArrival(add);
  if (!isId || hasStatus(query.error, 404)) return <NotFoundCard kind="project" />;
  return (
    <>
      <PageHeader
        title="Phone Numbers"
        description="Manage multiple WhatsApp phone numbers for message rotation"
        actions={
          <Button variant="primary" icon={plus} onClick={add}>
            Add Phone Number
          </Button>
        }
      />
      {query.data === undefined && query.error !== null ? (
        <Card flush>
          <ErrorPanel
            title="Failed to load phone numbers"
            detail={errorText(query.error, 'Try again in a moment.')}
            onRetry={() => void query.refetch()}
          />
        </Card>
      ) : (
        <PhoneCards phones={query.data} onAdd={add} />
      )}
      {isAdding && <AddPhoneDialog projectId={projectId} onClose={() => setAdding(false)} />}
    </>
  );
}

/** `phones` is undefined while they load. */
function PhoneCards({ phones, onAdd }: { phones: readonly PhoneNumber[] | undefined; onAdd: () => void }) {
  if (phones?.length === 0) {
    return (
      <Card flush>
        <EmptyState
          icon={<Smartphone aria-hidden="true" />}
          title="No phone numbers yet"
          hint="Get started by adding your first WhatsApp phone number"
          action={
            <Button icon={plus} onClick={onAdd}>
              Add Phone Number
            </Button>
          }
        />
      </Card>
    );
  }
  return (
    <ul
      aria-label="Phone numbers"
      aria-busy={phones === undefined}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4"
    >
      {phones === undefined
        ? [1, 2, 3].map((index) => (
            <li key={index}>
              <PhoneCardSkeleton />
            </li>
          ))
        : phones.map((phone) => (
            <li key={phone.id} className="min-w-0">
              <PhoneCard phone={phone} />
            </li>
          ))}
    </ul>
  );
}
