import { MAX_ROOTS } from "../../../../shared/comments.ts";
import { inlineText } from "../../../../shared/markdown/fenced.ts";
import type { Db } from "../../../db/connect.ts";
import { listComments } from "../../../work/comments/list-comments.ts";
import type { CommentTarget } from "../../../work/comments/target.ts";
import { readPeople } from "./read-names.ts";
import type { Part } from "./write-markdown.ts";

/** The comments on an object, threads in their order. None if there are none. */
export async function commentParts(db: Db, target: CommentTarget): Promise<Part[]> {
  const { data, meta } = await listComments(db, target, { limit: MAX_ROOTS });
  if (data.length === 0) return [];
  const people = await readPeople(
    db,
    data.map(({ user_id }) => user_id),
  );
  const items = data.map(({ user_id, author_name, parent_id, is_public, created_at, content }) => {
    const author = (user_id === null ? author_name : people.get(user_id)) ?? "Unknown author";
    const notes = [parent_id !== null && "reply", is_public && "public"].filter(Boolean);
    const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
    return { heading: `### ${inlineText(author)}, ${created_at}${note}`, outside: content };
  });
  return [{ text: "## Comments" }, { nouns: "comments", total: meta.count, items }];
}
