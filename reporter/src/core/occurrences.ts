/** How long the same error object counts as the same occurrence in handlers that know no request or job. */
const SAME_ERROR_MS = 2000;

/**
 * Records a capture and returns whether a handler captured this occurrence before.
 *
 * @param once whether a repetition will not be sent, in contrast to an explicit captureError
 * @param subjects the request or job, and the scope, in which the error occurred
 */
export type Repeated = (error: unknown, once: boolean, subjects: (object | undefined)[]) => boolean;

/** Recognizes an error object that was captured within the last two seconds. */
export function createRecent(now: () => number): Repeated {
  const captured = new WeakMap<object, number>();
  return (error) => {
    if (typeof error !== "object" || !error) return false;
    const last = captured.get(error) ?? -Infinity;
    captured.set(error, now());
    return now() - last < SAME_ERROR_MS;
  };
}

interface Seen {
  subjects: WeakSet<object>;
  /** Captures without a subject that no capture with one has been matched with. */
  unmatched: number;
}

/**
 * Recognizes an error object that passes several handlers. It counts once for each subject: an object that is thrown
 * again and again, such as a rejected promise that many requests await, is counted as often as it fails one of them.
 */
export function createOccurrences(now: () => number): Repeated {
  const recent = createRecent(now);
  const seen = new WeakMap<object, Seen>();

  return (error, once, subjects) => {
    const isRecent = recent(error, once, subjects);
    if (typeof error !== "object" || !error) return false;
    const entry = seen.get(error) ?? { subjects: new WeakSet(), unmatched: 0 };
    seen.set(error, entry);
    const known = subjects.filter((subject) => subject !== undefined);
    const again = known.some((subject) => entry.subjects.has(subject));
    for (const subject of known) entry.subjects.add(subject);
    if (known.length === 0) {
      if (!isRecent || !once) entry.unmatched += 1;
      return isRecent;
    }
    if (again || !once) return again;
    const matched = isRecent && entry.unmatched > 0;
    if (matched) entry.unmatched -= 1;
    return matched;
  };
}
