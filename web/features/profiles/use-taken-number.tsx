import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { ApiError } from '#web/shared/api-error.ts';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';
import { paths } from '#web/shared/paths.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import type { ProfileFormValues } from './profile-form.ts';

type TakenNumber = {
  /** Saves; remembers whose the number is where another profile has it. */
  save: (attempt: () => Promise<unknown>) => Promise<void>;
  /** To be rendered in the form: the way to that profile, until the number is changed. */
  notice: ReactNode;
};

export function useTakenNumber(form: FormOf<ProfileFormValues>): TakenNumber {
  const [taken, setTaken] = useState<{ phone: string; profileId: number }>();
  const phone = useWatch({ control: form.control, name: 'phone' });

  async function save(attempt: () => Promise<unknown>): Promise<void> {
    try {
      await attempt();
    } catch (error) {
      if (error instanceof ApiError && error.profileId !== undefined) {
        setTaken({ phone: form.getValues('phone'), profileId: error.profileId });
      }
      throw error;
    }
  }

  const isShown = taken !== undefined && taken.phone === phone;
  return { save, notice: isShown && <TakenNotice profileId={taken.profileId} /> };
}

function TakenNotice({ profileId }: { profileId: number }) {
  return (
    <Notice
      live
      color="yellow"
      title="This number has a profile already"
      action={
        <Link
          to={paths.profile}
          params={{ profileId: String(profileId) }}
          className={buttonClass('secondary', 'small')}
        >
          View profile
        </Link>
      }
    />
  );
}
