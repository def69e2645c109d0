/** What was derived from objects that many events share. */
const derived = new WeakMap<object, Map<unknown, unknown>>();

/** From now on, `remembered` computes each value of the object only once. It and these values must never change. */
export function rememberAbout(shared: object): void {
  derived.set(shared, new Map());
}

/** Whether `remembered` computes each value of the object only once. */
export const isShared = (object: object): boolean => derived.has(object);

/** The value that `derive` returns. It is computed only once for an object that many events share, and is then shared as well. */
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
