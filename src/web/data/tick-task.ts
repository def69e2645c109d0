import type { QueryKey } from "@tanstack/react-query";
import type { Comment, CommentList } from "../../shared/comments.ts";
import type { Epic } from "../../shared/epics.ts";
import type { Issue } from "../../shared/issues.ts";
import { api, ApiError, withQuery } from "../api/client.ts";
import type { Tick } from "../kit/markdown/render-markdown.ts";
import { type CommentSubject, commentsPath } from "./comments.ts";
import { patchEverywhere } from "./cache/patch-everywhere.ts";
import { useOptimistic } from "./cache/use-optimistic.ts";

/** Ticks tasks in the description of an issue or epic. */
export function useTickInDescription(kind: "issue" | "epic", { id, project_id, description }: Issue | Epic) {
  const path = `/api/projects/${project_id}/${kind}s/${id}`;
  return useTick<Issue | Epic>({
    kind,
    key: [kind, project_id, "one"],
    stale: [[kind, project_id, "activity", id]],
    id,
    field: "description",
    shown: description,
    read: () => api.get(path),
    write: (changes) => api.patch(path, changes),
  });
}

/** Ticks tasks in a comment. */
export function useTickInComment(projectId: number, on: CommentSubject, { id, content }: Comment) {
  const path = commentsPath(projectId, on);
  return useTick<Comment>({
    kind: "comment",
    key: ["comment", projectId, on.type, on.id],
    stale: [],
    id,
    field: "content",
    shown: content,
    read: () => findComment(path, id),
    write: (changes) => api.put(`${path}/${id}`, changes),
  });
}

/** Comments are read in pages only. */
async function findComment(path: string, id: number): Promise<Comment> {
  for (let cursor: string | null = null; ;) {
    const { data, meta }: CommentList = await api.get(withQuery(path, { cursor: cursor ?? undefined }));
    const found = data.find((comment) => comment.id === id);
    if (found) return found;
    cursor = meta.next_cursor;
    if (cursor === null) throw new ApiError(404, { message: "The comment was deleted." });
  }
}

type Options<E> = {
  kind: "issue" | "epic" | "comment";
  key: QueryKey;
  stale: readonly QueryKey[];
  id: number;
  field: keyof E & string;
  shown: string | null;
  read: () => Promise<E>;
  write: (changes: Record<string, string>) => Promise<E>;
};

/**
 * The change is shown at once. The text is read again before it is written, and the task is found again in it, so that
 * a change by someone else is kept.
 */
function useTick<E>({ kind, key, stale, id, field, shown, read, write }: Options<E>): (tick: Tick) => void {
  const { mutate } = useOptimistic({
    key,
    stale,
    send: async (tick: Tick) => {
      const fresh = await read();
      const text = fresh[field];
      const next = tick(String(text));
      if (next === undefined) throw new ApiError(409, { message: "Someone else has changed the text." });
      return next === text ? fresh : write({ [field]: next });
    },
    patch: (client, tick) => patchEverywhere(client, kind, id, { [field]: tick(shown ?? "") ?? shown }),
    onAnswer: (client, answer) => void patchEverywhere(client, kind, id, answer as object),
    failed: "The task could not be ticked",
  });
  return mutate;
}
