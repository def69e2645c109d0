/** `base` is the text when the edit began, `text` the content of the field. */
export type Edit = { base: string; text: string };

/** Whether someone else has changed the text since, to something other than `text`. */
export function conflicts({ base, text }: Edit, current: string): boolean {
  return current !== base && current !== text;
}

/** Both texts, one below the other, for the user to merge. */
export function joinTexts({ text }: Edit, theirs: string): Edit {
  return { base: theirs, text: [text.trimEnd(), theirs].filter((part) => part !== "").join("\n\n") };
}
