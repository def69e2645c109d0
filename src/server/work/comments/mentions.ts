import { sql } from "kysely";
import { usersWhere } from "../../access/access-queries.ts";
import type { Tx } from "../../db/connect.ts";

/** The ids of the mentioned users who can access the project, without those whom the earlier text `before` mentions. */
export async function mentionedUsers(
  tx: Tx,
  project: { id: number; workspace_id: number },
  text: string,
  before = "",
): Promise<number[]> {
  // "&#64;" is an "@", too.
  if (!/[@&]/.test(text)) return [];
  // The parser is loaded on first use, which shortens the start of the server.
  const { mentionedUsernames } = await import("./mentioned-usernames.ts");
  const all = mentionedUsernames(text);
  if (all.length === 0) return [];
  const known = new Set(mentionedUsernames(before));
  const names = all.filter((name) => !known.has(name));
  if (names.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select id from users where fold_case(username) = any(${names}::text[]) and id in (${usersWhere(project)})
    order by id`.execute(tx);
  return rows.map((row) => row.id);
}
