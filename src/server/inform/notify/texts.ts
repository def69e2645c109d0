import { cutCodePoints, exceedsCodePoints } from "../../../shared/text.ts";
import type { Tx } from "../../db/connect.ts";

/** The words of inbox entries and mails. */

const NAME = 80;
const EXCERPT = 500;

/** A name as messages show it. */
export const short = (name: string) => cut(name, NAME);

/** A title as messages show it. */
export const quoted = (title: string) => `"${short(title)}"`;

/** The beginning of a comment or a report, for its mail. */
export const excerpt = (text: string) => cut(text.trim(), EXCERPT);

/** `Ada Moss`, or null for nobody. */
export async function nameOf(tx: Tx, userId: number | null): Promise<string | null> {
  if (userId === null) return null;
  const row = await tx
    .selectFrom("users")
    .select(["first_name", "last_name"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return row ? `${row.first_name} ${row.last_name}` : null;
}

function cut(text: string, max: number): string {
  return exceedsCodePoints(text, max) ? `${cutCodePoints(text, max - 1).trimEnd()}…` : text;
}
