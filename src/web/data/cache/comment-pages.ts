import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Comment, CommentList } from "../../../shared/comments.ts";

export type CommentPages = InfiniteData<CommentList, string | undefined>;

type Subject = { type: Comment["commentable_type"]; id: number };

export const commentsKey = (projectId: number, { type, id }: Subject) =>
  ["comment", projectId, type, id] as const;

type Key = ReturnType<typeof commentsKey>;

/** Adds a comment to the last loaded page, unless a refetch has brought it already. */
export function addComment(client: QueryClient, key: Key, comment: Comment) {
  client.setQueryData<CommentPages>(key, (all) => {
    if (!all || all.pages.some(({ data }) => data.some(({ id }) => id === comment.id))) return all;
    return {
      ...all,
      pages: all.pages.map((page, index) => ({
        data: index === all.pages.length - 1 ? [...page.data, comment] : page.data,
        meta: { ...page.meta, count: page.meta.count + 1 },
      })),
    };
  });
}

/** Removes a comment and its replies. */
export function removeComment(client: QueryClient, key: Key, removedId: number) {
  client.setQueryData<CommentPages>(key, (all) => {
    const stays = ({ id, parent_id }: Comment) => id !== removedId && parent_id !== removedId;
    const loaded = new Map(all?.pages.flatMap(({ data }) => data.map((comment) => [comment.id, comment])));
    const removed = [...loaded.values()].filter((comment) => !stays(comment)).length;
    return (
      all && {
        ...all,
        pages: all.pages.map((page) => ({
          data: page.data.filter(stays),
          meta: { ...page.meta, count: page.meta.count - removed },
        })),
      }
    );
  });
}
