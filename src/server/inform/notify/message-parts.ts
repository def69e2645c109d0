import { cutCodePoints, exceedsCodePoints } from "../../../shared/text.ts";
import type { Tx } from "../../db/connect.ts";

/** Maximum lengths in code points. */
const MAX_NAME_LENGTH = 80;
const MAX_EXCERPT_LENGTH = 500;
/** Enough for an excerpt with its syntax. */
const MAX_MARKDOWN_LENGTH = 2_000;

export const shorten = (name: string) => cut(name, MAX_NAME_LENGTH);

export const quoteTitle = (title: string) => `“${shorten(title)}”`;

/** The beginning of a comment or report for the email: its words, and its Markdown. */
export async function excerptOf(text: string): Promise<{ lines: string[]; excerpt: string | null }> {
  const excerpt = cutCodePoints(text.trim(), MAX_MARKDOWN_LENGTH);
  if (excerpt === "") return { lines: [], excerpt: null };
  // Loaded on first use, which shortens the start of the server.
  const { plainText } = await import("../../../shared/markdown/plain-text.ts");
  return { lines: [cut(plainText(excerpt), MAX_EXCERPT_LENGTH)], excerpt };
}

/** `Ada Moss`; null without a user id, or if the user no longer exists. */
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
