/** An edit: what was there when it began, and what stands in the field. */
export type Edit = { base: string; text: string };

/** Whether somebody else changed the same text meanwhile, into something other than what is written here. */
export function conflicts({ base, text }: Edit, current: string): boolean {
  return current !== base && current !== text;
}

/** Both texts one below the other, for the person to merge. */
export function joined({ text }: Edit, theirs: string): Edit {
  return { base: theirs, text: [text.trimEnd(), theirs].filter((part) => part !== "").join("\n\n") };
}
