export type Stored<T> = { read: () => T; write: (value: T) => void };

/**
 * A value in this browser's local storage. `parse` returns undefined for anything it does not recognize, such as what
 * an older version wrote; reading then gives `initial`. Writing `initial` deletes the entry. When storage is full or
 * blocked, nothing is kept and nothing fails: the value lives as long as the page.
 */
export function stored<T>(key: string, parse: (value: unknown) => T | undefined, initial: T): Stored<T> {
  return {
    read() {
      try {
        const text = localStorage.getItem(key);
        return text === null ? initial : (parse(decode(text)) ?? initial);
      } catch {
        return initial;
      }
    },
    write(value) {
      try {
        if (value === initial) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(value));
      } catch {
        // Full or blocked: see above.
      }
    },
  };
}

/** Early versions stored plain text instead of JSON. */
function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
