import type { Comment } from "../../shared/comments.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useDiscussion } from "./discussion.ts";
import { useDeleteComment } from "../data/comments.ts";

type Props = { comment: Comment; replies: number; onClose: () => void; onDeleted: () => void };

/** Asks for confirmation, and says how many replies will be deleted as well. */
export function DeleteComment({ comment, replies, onClose, onDeleted }: Props) {
  const { project, on } = useDiscussion();
  const remove = useDeleteComment(project.id, on);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete this comment?"
      confirm={comment.parent_id === null ? "Delete comment" : "Delete reply"}
      done="Comment deleted"
      onConfirm={() => remove.mutateAsync(comment.id)}
      onDone={onDeleted}
    >
      {replies === 0
        ? "This can’t be undone."
        : `${replies === 1 ? "Its reply" : `Its ${replies} replies`} will be deleted too. This can’t be undone.`}
    </ConfirmDialog>
  );
}
