import MarkdownIt from "markdown-it";
import { sql } from "kysely";
import { username } from "../../../shared/people.ts";
import { usersWhere } from "../../access/access-queries.ts";
import type { Tx } from "../../db/connect.ts";

/** CommonMark with tables and strikethrough, as the web app shows it; why this parser: docs/decisions/0008. */
const markdown = new MarkdownIt({ html: true });

/**
 * The usernames a text mentions, each once, in lower case and in order of appearance: `@username` in its prose, which
 * is neither code nor HTML nor an address (decisions.md 3). Whether there are such users is not asked here.
 */
export function mentionedUsernames(text: string): string[] {
  const names = new Set<string>();
  for (const prose of proseOf(text)) for (const name of namesIn(prose)) names.add(name.toLowerCase());
  return [...names];
}

/**
 * The ids of those mentioned who can access the project: its members, its owners and the workspace's administrators.
 * Whom `before`, an earlier text, mentioned already is left out.
 */
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
    select id from users where lower(username) = any(${names}::text[]) and id in (${usersWhere(project)})
    order by id`.execute(tx);
  return rows.map((row) => row.id);
}

/** The text nodes of the syntax tree. */
function proseOf(text: string): string[] {
  if (!text.includes("@") && !text.includes("&")) return [];
  const inline = markdown.parse(text, {}).flatMap((block) => block.children ?? []);
  return inline.flatMap((token, index) => {
    const before = inline[index - 1];
    const isAddress = before?.type === "link_open" && before.markup === "autolink";
    return token.type === "text" && !isAddress ? [token.content] : [];
  });
}

/** Of `@ann/@bob` both; of `a@b.com`, `@ann@example.com` and `example.com/@ann` none. */
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

/** A full stop behind a name is the sentence's. Not by a pattern, which would look for an end at every full stop. */
function nameOf(mention: string): string {
  let end = mention.length;
  while (".-_".includes(mention.charAt(end - 1))) end--;
  return mention.slice(1, end);
}
