import type { Project } from "../../shared/projects.ts";
import { Composer } from "../comments/composer.tsx";
import { attachPathOf } from "../comments/discussion.ts";
import { type CommentSubject, usePostComment } from "../data/comments.ts";
import { useProfile } from "../data/account/session.ts";

type Props = {
  project: Project;
  on: CommentSubject;
  /** The root comment of the thread to reply in; null writes a new comment. */
  rootId: number | null;
};

/** Writes a comment without leaving the inbox. It shares its draft with the field on the page of the thing. */
export function ReplyField({ project, on, rootId }: Props) {
  const post = usePostComment(project.id, on, useProfile().id);
  const place = `${on.type}:${on.id}`;
  return (
    <Composer
      key={rootId}
      projectId={project.id}
      place={rootId === null ? place : `${place}:reply:${rootId}`}
      label={rootId === null ? "Write a comment" : "Reply"}
      send={rootId === null ? "Comment" : "Reply"}
      attachPath={attachPathOf(project, on)}
      onSend={(content, attachment_ids) => post.mutateAsync({ content, parent_id: rootId, attachment_ids })}
    />
  );
}
