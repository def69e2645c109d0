import { sql } from "kysely";

/** SQL: whether the column's text is the given one, ignoring the case of A to Z (see `foldCase`). */
export const sameText = (column: "email" | "i.email" | "username", text: string) =>
  sql<boolean>`fold_case(${sql.ref(column)}) = fold_case(${text})`;
