import { infiniteQueryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { Comment, CommentList } from "../../shared/comments.ts";
import { api, withQuery } from "../api/client.ts";
import { addComment, type CommentPages, commentsKey, removeComment } from "./cache/comment-pages.ts";
import { patchEverywhere } from "./cache/patch-everywhere.ts";
import { useOptimistic } from "./cache/use-optimistic.ts";
import { Queued } from "./offline/queued-changes.ts";
import { sendOrQueue } from "./offline/send-or-queue.ts";

/** What the comments are on. */
export type CommentSubject = { type: Comment["commentable_type"]; id: number };

/** `issues:update`, `error-groups:update`. */
export const permissionTo = ({ type }: CommentSubject, action: "update") =>
  `${pathOf(type)}:${action}` as const;

const pathOf = <Type extends CommentSubject["type"]>(type: Type) =>
  (type === "error_groups" ? "error-groups" : type) as Exclude<Type, "error_groups"> | "error-groups";

export const targetPath = (projectId: number, { type, id }: CommentSubject) =>
  `/api/projects/${projectId}/${pathOf(type)}/${id}`;

export const commentsPath = (projectId: number, on: CommentSubject) =>
  `${targetPath(projectId, on)}/comments`;

/** Oldest first, in pages. */
export const commentsQuery = (projectId: number, on: CommentSubject) =>
  infiniteQueryOptions({
    queryKey: commentsKey(projectId, on),
    queryFn: ({ pageParam, signal }) =>
      api.get<CommentList>(withQuery(commentsPath(projectId, on), { cursor: pageParam }), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  });

/** Temporary ids of comments that are being sent are negative. */
let lastTemporaryId = 0;

export type NewComment = {
  content: string;
  parent_id: number | null;
  attachment_ids: number[];
  /** Whether the author of the report reads it as well. */
  is_public?: boolean;
};

/**
 * Shown at once. Without a connection, the comment waits for it, and the mutation returns it as it is shown until then. If
 * sending fails, the comment disappears again; the caller still has the text and shows the error.
 */
export function usePostComment(projectId: number, on: CommentSubject, authorId: number) {
  const client = useQueryClient();
  const key = commentsKey(projectId, on);
  return useMutation({
    mutationFn: ({ is_public = false, ...body }: NewComment) =>
      sendOrQueue<Comment>(client, {
        request: {
          method: "POST",
          path: commentsPath(projectId, on),
          body: { ...body, ...(is_public && { is_public }) },
        },
        shows: {
          kind: "comment",
          project_id: projectId,
          ...unsentComment(on, { ...body, is_public }),
        },
        titleFor: (name) => `Comment on ${name}`,
      }),
    onMutate: async (body) => {
      await client.cancelQueries({ queryKey: key });
      const id = --lastTemporaryId;
      const created_at = new Date().toISOString();
      addComment(client, key, { ...unsentComment(on, body), id, user_id: authorId, created_at });
      return id;
    },
    onError: (_error, _body, id) => id !== undefined && removeComment(client, key, id),
    onSuccess: (answer, _body, id) => {
      removeComment(client, key, id);
      if (!(answer instanceof Queued)) addComment(client, key, answer);
    },
    // The target has a comment count, and the author may now be watching it.
    onSettled: (answer) =>
      answer instanceof Queued
        ? undefined
        : Promise.all([
            client.invalidateQueries({ queryKey: [on.type.slice(0, -1), projectId, "one"] }),
            ...(on.type === "error_groups"
              ? [client.invalidateQueries({ queryKey: ["error_watch", projectId, on.id] })]
              : []),
          ]),
  });
}

const unsentComment = (
  { type, id }: CommentSubject,
  { content, parent_id, is_public = false }: Omit<NewComment, "attachment_ids">,
) => ({
  content,
  parent_id,
  is_pinned: false,
  author_name: null,
  is_public,
  commentable_type: type,
  commentable_id: id,
  liker_ids: [],
  attachments: [],
});

/** Not optimistic: an edit keeps its text in the editor until it is saved. */
export function useEditComment(projectId: number, on: CommentSubject) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, content }: { id: number; content: string }) =>
      api.put<Comment>(`${commentsPath(projectId, on)}/${id}`, { content }),
    onSuccess: (comment) => void putComment(client, comment),
  });
}

/** Deleting a root comment deletes its replies. */
export function useDeleteComment(projectId: number, on: CommentSubject) {
  const client = useQueryClient();
  const key = commentsKey(projectId, on);
  return useMutation({
    mutationFn: (id: number) => api.delete(`${commentsPath(projectId, on)}/${id}`),
    onSuccess: async (_nothing, id) => {
      await client.cancelQueries({ queryKey: key });
      removeComment(client, key, id);
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: key }),
        client.invalidateQueries({ queryKey: [on.type.slice(0, -1), projectId, "one"] }),
      ]),
  });
}

export function useLikeComment(projectId: number, on: CommentSubject, me: number) {
  return useOptimistic({
    key: commentsKey(projectId, on),
    send: ({ id }: Comment) => api.post<Comment>(`${commentsPath(projectId, on)}/${id}/like`),
    patch: (client, { id }) =>
      patchEverywhere(client, "comment", id, ({ liker_ids }) => {
        const others = liker_ids.filter((liker) => liker !== me);
        return { liker_ids: others.length < liker_ids.length ? others : [...liker_ids, me] };
      }),
    onAnswer: putComment,
    failed: "The like could not be saved",
  });
}

/** Pins a comment, or unpins it if it is pinned. At most one comment is pinned: pinning another one unpins the first. */
export function usePinComment(projectId: number, on: CommentSubject) {
  const key = commentsKey(projectId, on);
  return useOptimistic({
    key,
    send: ({ id, is_pinned }: Comment) => {
      const path = `${commentsPath(projectId, on)}/${id}/pin`;
      return is_pinned ? api.delete<Comment>(path) : api.post<Comment>(path);
    },
    patch: (client, { id, is_pinned }) => {
      const all = client.getQueryData<CommentPages>(key)?.pages.flatMap(({ data }) => data) ?? [];
      return patchEverywhere(client, "comment", new Set(all.map((comment) => comment.id)), (comment) => ({
        is_pinned: comment.id === id && !is_pinned,
      }));
    },
    // Refetched instead of using the answer: the server moves a pinned thread to the top.
    failed: "The pin could not be saved",
  });
}

const putComment = (client: QueryClient, comment: Comment) =>
  patchEverywhere(client, "comment", comment.id, comment);
