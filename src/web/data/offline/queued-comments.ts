import { useMemo } from "react";
import type { Comment } from "../../../shared/comments.ts";
import { useStore } from "../../state/store.ts";
import { isWaiting, type QueuedChange, queuedChanges, type QueuedComment } from "./queued-changes.ts";

/** Queued comments have ids below this one. */
const FIRST_ID = -1_000_000;

export const queuedCommentId = (changeId: number): number => FIRST_ID - changeId;

/** The change that adds a comment with such an id; undefined for other comments. */
export const changeOfComment = (commentId: number): number | undefined =>
  commentId < FIRST_ID ? FIRST_ID - commentId : undefined;

type Subject = { type: Comment["commentable_type"]; id: number };

/** The person's comments on something that wait for the connection. */
export function useQueuedComments(projectId: number, { type, id }: Subject): Comment[] {
  const changes = useStore(queuedChanges);
  return useMemo(
    () =>
      changes.filter(isWaiting).flatMap((change) => {
        const { shows } = change;
        const isHere =
          shows.kind === "comment" &&
          shows.project_id === projectId &&
          shows.commentable_type === type &&
          shows.commentable_id === id;
        return isHere ? commentOf(change, shows) : [];
      }),
    [changes, projectId, type, id],
  );
}

function commentOf({ id, user_id, created_at }: QueuedChange, shows: QueuedComment): Comment {
  const { kind: _kind, project_id: _project, ...comment } = shows;
  return { ...comment, id: queuedCommentId(id), user_id, created_at };
}
