import { store } from "./store.ts";
import { stored, type Stored } from "./stored.ts";

/**
 * Unsaved input of a person, kept in this browser until it is saved or discarded, or until the person signs out. `place`
 * says what it belongs to, such as `issues:12:reply:5`. Writing `empty` deletes the draft.
 */
export function draftOf<T>(
  person: number,
  place: string,
  parse: (value: unknown) => T | undefined,
  empty: T,
): Stored<T> {
  return stored(`${prefixOf(person)}${place}`, parse, empty);
}

/** A draft that is a single text. */
export const textDraft = (person: number, place: string): Stored<string> =>
  draftOf(person, place, (value) => (typeof value === "string" ? value : undefined), "");

/** How often text was returned to the draft of a place, in this page. Fields read their draft anew. */
export const returnedTexts = store<ReadonlyMap<string, number>>(new Map());

/** Deletes all drafts of a person, so that the next user of this browser cannot read them. */
export function forgetDrafts(person: number): void {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
    for (const key of keys) if (key.startsWith(prefixOf(person))) localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so there are no drafts.
  }
}

/**
 * Reads an object with the fields of `sample`. A field that is missing or has another type, as in a draft of an older
 * version, gets the sample's value. Where the sample is null, text and numbers are accepted.
 */
export const parseLike =
  <T extends object>(sample: T) =>
  (value: unknown): T | undefined => {
    if (typeof value !== "object" || value === null) return undefined;
    const fields = Object.entries(value).filter(
      ([name, field]) => Object.hasOwn(sample, name) && hasSameType(field, sample[name as keyof T]),
    );
    return { ...sample, ...Object.fromEntries(fields) };
  };

function hasSameType(value: unknown, sample: unknown): boolean {
  if (sample === null) return value === null || typeof value === "number" || typeof value === "string";
  if (value === null) return false;
  if (Array.isArray(sample)) return Array.isArray(value) && value.every((entry) => typeof entry === "number");
  return typeof value === typeof sample;
}

const prefixOf = (person: number) => `draft:${person}:`;
