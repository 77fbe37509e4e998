// Copies of sets with one change each: a state that was shown is never altered.

export function withMember<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  return new Set(set).add(member);
}

export function withoutMember<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const copy = new Set(set);
  copy.delete(member);
  return copy;
}
