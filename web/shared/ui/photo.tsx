import { UserRound } from 'lucide-react';

/** The round picture of somebody, or its place. */
export function Photo({ photo }: { photo: string | null }) {
  if (photo !== null)
    return <img src={photo} alt="As shown on WhatsApp" className="size-12 shrink-0 rounded-full object-cover" />;
  return (
    <span className="grid size-12 shrink-0 place-items-center rounded-full bg-sunken text-faint">
      <UserRound aria-hidden="true" className="size-5" />
    </span>
  );
}
