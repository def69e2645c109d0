import { sql, type RawBuilder } from "kysely";

/** The condition that the column has one of the values. Null stands for rows without a value. */
export function isAmong(column: string, values: readonly (number | null)[]): RawBuilder<boolean> {
  const [ref, given] = [sql.ref(column), values.filter((value) => value !== null)];
  const isGiven = given.length === 1 ? sql`${ref} = ${given[0]}` : sql`${ref} = any(${given}::bigint[])`;
  if (given.length === values.length) return sql<boolean>`${isGiven}`;
  return given.length === 0 ? sql<boolean>`${ref} is null` : sql<boolean>`(${isGiven} or ${ref} is null)`;
}

/** The values with the user's id for `me`. */
export const meAs = (userId: number, values: readonly ("me" | number | null)[]) =>
  values.map((value) => (value === "me" ? userId : value));
