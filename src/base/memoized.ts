/** Functions that remember what they gave. */

/** `make`, called once for each key; remembers all of them. */
export const memoized = <K, V>(make: (key: K) => V): ((key: K) => V) => remembering(new Map<K, V>(), make);

/** `make`, called once for each object; forgets with the object. */
export const memoizedWeakly = <K extends object, V>(make: (key: K) => V): ((key: K) => V) =>
  remembering(new WeakMap<K, V>(), make);

interface Memory<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): void;
}

function remembering<K, V>(known: Memory<K, V>, make: (key: K) => V): (key: K) => V {
  return (key) => {
    const value = known.get(key);
    if (value !== undefined || known.has(key)) return value as V;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
