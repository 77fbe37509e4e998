import { useQuery } from '@tanstack/react-query';
import { Braces } from 'lucide-react';
import type { Profile } from '#contracts/profiles.ts';
import { cutText } from '#contracts/shorten-text.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { contactProfileQuery } from '../contact/contact-profile-query.ts';

const mostShown = 12;

type InsertValueProps = { profileId: number | null; disabled: boolean; onInsert: (text: string) => void };

/** Inserts a profile's value into the text, as it will be read. */
export function InsertValue({ profileId, disabled, onInsert }: InsertValueProps) {
  const { data: profile } = useQuery(contactProfileQuery(profileId));
  const values = profile === undefined ? [] : valuesOf(profile);
  return (
    <Menu
      trigger={
        <IconButton
          label={profileId === null ? 'Nothing is known of this person yet' : 'Insert what is known of this person'}
          icon={<Braces className="size-4" />}
          disabled={disabled || values.length === 0}
        />
      }
      items={values.slice(0, mostShown).map(([name, value]) => ({
        label: `${name}: ${shortened(value)}`,
        onSelect: () => onInsert(value),
      }))}
    />
  );
}

const shortened = (value: string) => (value.length > 40 ? `${cutText(value, 40)}…` : value);

/** Its columns and the texts and numbers among its fields. */
export function valuesOf({ name, email, phone, custom_fields: fields }: Profile): readonly [string, string][] {
  const custom = Object.entries(fields ?? {}).flatMap(([key, value]): [string, string][] =>
    (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[key, String(value)]] : [],
  );
  const columns: [string, string | null][] = [
    ['name', name],
    ['email', email],
    ['phone', `+${phone}`],
  ];
  return [...columns.flatMap(([key, value]): [string, string][] => (value ? [[key, value]] : [])), ...custom];
}
