import type { Comment } from "../../shared/comments.ts";
import { commentsPath, useEditComment } from "../data/comments.ts";
import { can } from "../data/projects/projects.ts";
import { Composer } from "./composer.tsx";
import { useDiscussion } from "./discussion.ts";

type Props = {
  comment: Comment;
  /** The key of the draft. */
  place: string;
  ref: ((element: HTMLTextAreaElement | null) => void) | null;
  onClose: () => void;
  onRestore: () => void;
};

/** Takes the place of the text while a comment is edited. */
export function CommentEditor({ comment, place, ref, onClose, onRestore }: Props) {
  const { project, on } = useDiscussion();
  const edit = useEditComment(project.id, on);
  return (
    <Composer
      projectId={project.id}
      place={place}
      label="Edit comment"
      send="Save"
      start={comment.content}
      attachPath={
        can(project, "attachments:create")
          ? `${commentsPath(project.id, on)}/${comment.id}/attachments`
          : undefined
      }
      ref={ref}
      onCancel={onClose}
      onRestore={onRestore}
      onSend={async (content) => {
        await edit.mutateAsync({ id: comment.id, content });
        onClose();
      }}
    />
  );
}

/** Focuses the field when it opens, not on each render. */
export function focusAtEnd(element: HTMLTextAreaElement | null) {
  if (element === null || element.dataset["focused"]) return;
  element.dataset["focused"] = "true";
  element.focus();
  element.setSelectionRange(element.value.length, element.value.length);
}
