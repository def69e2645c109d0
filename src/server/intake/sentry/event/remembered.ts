/** Values derived from objects that several events share, by the function that derives them. */
const derived = new WeakMap<object, Map<unknown, unknown>>();

/** Makes `remembered` cache values derived from the object. The object and these values must never change afterwards. */
export function rememberAbout(shared: object): void {
  derived.set(shared, new Map());
}

/** Whether `remembered` caches values derived from the object. */
export const isShared = (object: object): boolean => derived.has(object);

/** Returns `derive(of)`. For a shared object it is computed only once, and an object that it returns is shared, too. */
export function remembered<Of extends object, Value extends object | string>(
  of: Of,
  derive: (of: Of) => Value,
): Value {
  const values = derived.get(of);
  if (!values) return derive(of);
  let value = values.get(derive) as Value | undefined;
  if (value === undefined) {
    value = derive(of);
    values.set(derive, value);
    if (typeof value === "object") rememberAbout(Object.freeze(value));
  }
  return value;
}
