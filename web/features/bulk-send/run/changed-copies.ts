// Copies of sets and maps with one change each: a state that was shown is never altered.

export function withMember<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  return new Set(set).add(member);
}

export function withoutMember<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const copy = new Set(set);
  copy.delete(member);
  return copy;
}

export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value);
}

export function withoutEntry<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
