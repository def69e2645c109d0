import type { Project } from "../../shared/projects.ts";
import type { Reporter } from "../comments/audience.tsx";
import { attachPathOf } from "../comments/discussion.ts";
import { ReplyComposer } from "../comments/reply-composer.tsx";
import { type CommentSubject, permissionTo, usePostComment } from "../data/comments.ts";
import { can } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";

type Props = {
  project: Project;
  on: CommentSubject;
  /** The root comment of the thread to reply in; null writes a new comment. */
  rootId: number | null;
  /** Undefined if the comment cannot be public. */
  reporter: Reporter | undefined;
};

/** Writes a comment without leaving the inbox. It shares its draft with the field on the page of the thing. */
export function ReplyField({ project, on, rootId, reporter }: Props) {
  const post = usePostComment(project.id, on, useProfile().id);
  const place = `${on.type}:${on.id}`;
  return (
    <ReplyComposer
      key={rootId}
      reporter={can(project, permissionTo(on, "update")) ? reporter : undefined}
      projectId={project.id}
      place={rootId === null ? place : `${place}:reply:${rootId}`}
      label={rootId === null ? "Write a comment" : "Reply"}
      send={rootId === null ? "Comment" : "Reply"}
      attachPath={attachPathOf(project, on)}
      onSend={(content, attachment_ids, is_public) =>
        post.mutateAsync({ content, parent_id: rootId, attachment_ids, is_public })
      }
    />
  );
}
