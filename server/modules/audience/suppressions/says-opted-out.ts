/** Compared without case. */
const optedOutStatuses = ['opted_out', 'opted-out', 'opted out', 'unsubscribed'];

type Words = { status: string; custom_fields: Record<string, unknown> | null };

/**
 * Whether a profile's own fields say that it has opted out, as lists from elsewhere do: by the status, or the custom
 * field `opted_out`. A profile that comes to say so is put on the list; the list alone decides.
 */
export function saysOptedOut({ status, custom_fields: fields }: Words): boolean {
  const field = fields !== null && Object.hasOwn(fields, 'opted_out') ? fields['opted_out'] : undefined;
  const isTrue = field === true || (typeof field === 'string' && field.toLowerCase() === 'true');
  return optedOutStatuses.includes(status.toLowerCase()) || isTrue;
}

/** The same profile without those words. */
export function withoutOptOutWords({ status, custom_fields: fields }: Words): Words {
  const { opted_out: field, ...others } = fields ?? {};
  const isFieldTrue = saysOptedOut({ status: 'active', custom_fields: fields });
  return {
    status: saysOptedOut({ status, custom_fields: null }) ? 'active' : status,
    custom_fields: isFieldTrue && field !== undefined ? others : fields,
  };
}
