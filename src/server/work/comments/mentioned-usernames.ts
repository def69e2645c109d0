import { foldCase } from "../../../shared/fold-case.ts";
import { parseMarkdown } from "../../../shared/markdown/parser.ts";
import type { Reference } from "../../../shared/markdown/references.ts";
import { username } from "../../../shared/people.ts";

/**
 * The usernames a text mentions, without duplicates, in lower case and in order of appearance: `@username` outside code,
 * HTML and URLs. The users need not exist.
 */
export function mentionedUsernames(text: string): string[] {
  const inline = parseMarkdown(text).flatMap((block) => block.children ?? []);
  const names = inline.flatMap(({ type, meta }) => {
    const to = type === "reference" ? (meta?.["to"] as Reference) : undefined;
    return to?.kind === "person" && username.safeParse(to.name).success ? [foldCase(to.name)] : [];
  });
  return [...new Set(names)];
}
