import MarkdownIt from "markdown-it";
import { sql } from "kysely";
import { foldCase } from "../../../shared/fold-case.ts";
import { username } from "../../../shared/people.ts";
import { usersWhere } from "../../access/access-queries.ts";
import type { Tx } from "../../db/connect.ts";

/** CommonMark with tables and strikethrough, as in the web app. See docs/decisions/0008 for the choice of parser. */
const markdown = new MarkdownIt({ html: true });

/**
 * The usernames a text mentions, without duplicates, in lower case and in order of appearance: `@username` outside code,
 * HTML and URLs. The users need not exist.
 */
export function mentionedUsernames(text: string): string[] {
  const names = new Set<string>();
  for (const prose of proseOf(text)) for (const name of namesIn(prose)) names.add(foldCase(name));
  return [...names];
}

/** The ids of the mentioned users who can access the project, without those whom the earlier text `before` mentions. */
export async function mentionedUsers(
  tx: Tx,
  project: { id: number; workspace_id: number },
  text: string,
  before = "",
): Promise<number[]> {
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

/** The text nodes of the syntax tree, except those of autolinks. */
function proseOf(text: string): string[] {
  if (!text.includes("@") && !text.includes("&")) return [];
  const inline = markdown.parse(text, {}).flatMap((block) => block.children ?? []);
  return inline.flatMap((token, index) => {
    const before = inline[index - 1];
    const isAutolink = before?.type === "link_open" && before.markup === "autolink";
    return token.type === "text" && !isAutolink ? [token.content] : [];
  });
}

/** Matches both names in `@ann/@bob`, and none in `a@b.com`, `@ann@example.com` or `example.com/@ann`. */
const RUN = /(?<![\p{L}\p{N}\p{M}_@/])@[\p{L}\p{N}\p{M}._-]+(?:\/@[\p{L}\p{N}\p{M}._-]+)*@?/gu;
const BARE_URL = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<]*/giu;

function namesIn(prose: string): string[] {
  const runs = prose.replace(BARE_URL, " ").match(RUN) ?? [];
  return runs
    .filter((run) => !run.endsWith("@"))
    .flatMap((run) => run.split("/"))
    .map(nameOf)
    .filter((name) => username.safeParse(name).success);
}

/** Removes trailing punctuation. A loop, because a regular expression would backtrack at every full stop. */
function nameOf(mention: string): string {
  let end = mention.length;
  while (".-_".includes(mention.charAt(end - 1))) end--;
  return mention.slice(1, end);
}
