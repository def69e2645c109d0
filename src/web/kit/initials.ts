export type Named = { first_name: string; last_name: string };

/** "Ann Example" → "AE". Takes whole characters in any script. */
export function initialsOf({ first_name, last_name }: Named): string {
  const first = ([text]: Iterable<string>) => text ?? "";
  return (first(first_name.trim()) + first(last_name.trim())).toUpperCase() || "?";
}

/** "Ann Example", or "Deleted user" for null. */
export function nameOfPerson(person: Named | null): string {
  return person === null ? "Deleted user" : `${person.first_name} ${person.last_name}`.trim();
}
