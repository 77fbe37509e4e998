import type { ReactNode } from 'react';
import type { Profile } from '#contracts/profiles.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { CopyButton } from '#web/shared/ui/copy-button.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { PhoneValidity } from './phone-validity.tsx';
import { TagChips } from './tag-chips.tsx';

const phoneTexts = { copied: 'Phone copied to clipboard', failed: 'Failed to copy phone' };
const countries = new Intl.DisplayNames('en', { type: 'region' });
const languages = new Intl.DisplayNames('en', { type: 'language' });

export function ProfileFacts({ profile }: { profile: Profile }) {
  return (
    <Card title="Details">
      <dl className="grid grid-cols-[minmax(0,5.5rem)_minmax(0,1fr)] gap-x-4 gap-y-2.5 sm:grid-cols-[minmax(0,7rem)_minmax(0,1fr)]">
        <Fact label="ID">
          <span className="tabular-nums">{profile.id}</span>
        </Fact>
        <Fact label="Phone">
          <span className="-my-1.5 flex items-center gap-1">
            <PhoneText digits={profile.phone} />
            <CopyButton iconOnly value={profile.phone} label="Copy Phone" texts={phoneTexts} />
          </span>
        </Fact>
        <Fact label="Valid">
          <PhoneValidity isValid={profile.phone_is_valid} />
        </Fact>
        {profile.on_whatsapp === false && profile.on_whatsapp_checked_at !== null && (
          <Fact label="WhatsApp">
            Not on WhatsApp, found <DateTime at={profile.on_whatsapp_checked_at} />. Campaigns and flows skip it; after
            30 days it is tried again.
          </Fact>
        )}
        <Fact label="Country">
          {profile.country_code && `${countryName(profile.country_code)} (${profile.country_code})`}
        </Fact>
        <Fact label="Name">{profile.name}</Fact>
        <Fact label="Email">{profile.email}</Fact>
        {profile.language !== null && (
          <Fact label="Language">{`${languages.of(profile.language) ?? ''} (${profile.language})`}</Fact>
        )}
        {profile.timezone !== null && <Fact label="Time zone">{profile.timezone}</Fact>}
        {profile.external_id !== null && (
          <Fact label="External ID">
            <code className="text-13 wrap-anywhere">{profile.external_id}</code>
          </Fact>
        )}
        <Fact label="Status">
          <StatusBadge kind="profile" status={profile.status} />
        </Fact>
        <Fact label="Tags">{profile.tags.length > 0 && <TagChips tags={profile.tags} isWhole />}</Fact>
        <Fact label="Created">
          <DateTime at={profile.created_at} />
        </Fact>
        <Fact label="Updated">
          <DateTime at={profile.updated_at} />
        </Fact>
      </dl>
    </Card>
  );
}

function countryName(code: string): string {
  return countries.of(code) ?? code;
}

/** A dash where nothing is known. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere">
        {children === null || children === undefined || children === false ? (
          <span className="text-faint">–</span>
        ) : (
          <bdi>{children}</bdi>
        )}
      </dd>
    </>
  );
}
