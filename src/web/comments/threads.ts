import type { Comment } from "../../shared/comments.ts";

/** A root comment and its replies, oldest first. */
export type Thread = { root: Comment; replies: Comment[] };

/** A comment that is being sent has a temporary negative id. */
export const isSending = ({ id }: Comment) => id < 0;

/** Builds threads from the flat pages of the server. The pinned thread is on every page, and is returned apart. */
export function threadsOf(pages: readonly { data: readonly Comment[] }[]): {
  pinned: Thread | undefined;
  threads: Thread[];
} {
  const byRoot = new Map<number, Thread>();
  const seen = new Set<number>();
  for (const { data } of pages)
    for (const comment of data) {
      if (seen.has(comment.id)) continue;
      seen.add(comment.id);
      if (comment.parent_id === null) byRoot.set(comment.id, { root: comment, replies: [] });
      else byRoot.get(comment.parent_id)?.replies.push(comment);
    }
  const all = [...byRoot.values()].toSorted((a, b) => oldestFirst(a.root, b.root));
  for (const { replies } of all) replies.sort(oldestFirst);
  const pinned = all.find(({ root, replies }) => [root, ...replies].some(({ is_pinned }) => is_pinned));
  return { pinned, threads: all.filter((thread) => thread !== pinned) };
}

/** Ids follow the order of creation. Comments that are being sent come last. */
function oldestFirst(a: Comment, b: Comment): number {
  if (isSending(a) !== isSending(b)) return isSending(a) ? 1 : -1;
  return isSending(a) ? b.id - a.id : a.id - b.id;
}

/** The comment to focus after one was deleted: the next one on the page, else the previous. */
export function neighborOf(order: readonly Comment[], gone: Comment): Comment | undefined {
  const goes = (comment: Comment) => comment.id === gone.id || comment.parent_id === gone.id;
  const place = order.findIndex(({ id }) => id === gone.id);
  return (
    order.slice(place + 1).find((comment) => !goes(comment)) ??
    order.slice(0, Math.max(place, 0)).findLast((comment) => !goes(comment))
  );
}
