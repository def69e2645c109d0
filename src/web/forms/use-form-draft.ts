import { useState } from "react";
import { draftOf } from "../state/drafts.ts";

/** The fields when editing began, and as they are now. */
type Draft<T> = { before: T; fields: T };

type FormDraft<T> = Draft<T> & {
  change: (changes: Partial<T>) => void;
  isChanged: boolean;
  /** Says that the fields come from a draft; undefined if they do not. */
  restored: string | undefined;
  /** Deletes the draft, once the form has been sent or discarded. */
  forget: () => void;
};

/** The fields of a form that are a draft while they differ from `start`. Fields are texts, numbers, null and ids. */
export function useFormDraft<T extends object>(person: number, place: string, start: T): FormDraft<T> {
  const [draft] = useState(() => draftOf(person, place, parseWith(start), null));
  const [found] = useState(draft.read);
  const [before] = useState(found?.before ?? start);
  const [isOutdated] = useState(!isSame(before, start));
  const [fields, setFields] = useState(found?.fields ?? start);
  return {
    before,
    fields,
    isChanged: !isSame(before, fields),
    restored: found
      ? `Your unsaved changes were restored.${isOutdated ? " Someone else has changed it since." : ""}`
      : undefined,
    change: (changes) => {
      const next = { ...fields, ...changes };
      setFields(next);
      draft.write(isSame(before, next) ? null : { before, fields: next });
    },
    forget: () => draft.write(null),
  };
}

/** A draft of a version with other fields is ignored. */
const parseWith =
  <T extends object>(start: T) =>
  (value: unknown): Draft<T> | null => {
    const { before, fields } = (value ?? {}) as Partial<Draft<T>>;
    const isComplete = [before, fields].every(
      (part) => typeof part === "object" && isSame(Object.keys(part), Object.keys(start)),
    );
    return isComplete ? (value as Draft<T>) : null;
  };

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);
