export type Named = { first_name: string; last_name: string };

/** "Ann Example" → "AE". Whole characters, whatever the script. */
export function initialsOf({ first_name, last_name }: Named): string {
  const first = ([text]: Iterable<string>) => text ?? "";
  return (first(first_name.trim()) + first(last_name.trim())).toUpperCase() || "?";
}

/** "Ann Example"; nobody is "Deleted user". */
export function nameOfPerson(person: Named | null): string {
  return person === null ? "Deleted user" : `${person.first_name} ${person.last_name}`.trim();
}
