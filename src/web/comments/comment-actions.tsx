import { Copy, Ellipsis, Pencil, Pin, PinOff, Reply, Trash2 } from "lucide-react";
import type { Comment } from "../../shared/comments.ts";
import { useLikeComment, usePinComment } from "../data/comments.ts";
import { Button } from "../kit/button.tsx";
import { copyText } from "../kit/copy-text.ts";
import { cx } from "../kit/cx.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import { announce } from "../kit/notices/live-region.ts";
import { authorName } from "./author-name.ts";
import { keepFocusOn, useDiscussion } from "./discussion.ts";
import { LikeButton } from "./like-button.tsx";
import { isSending } from "./threads.ts";

type Props = {
  comment: Comment;
  /** The id of the heading, which describes the buttons. */
  headId: string;
  onReply: (() => void) | undefined;
  onEdit: () => void;
  onDelete: () => void;
  focusCard: () => void;
};

/** Like, reply and the menu. They keep their space while the comment is being sent, so that nothing below moves afterwards. */
export function CommentActions({ comment, headId, onReply, onEdit, onDelete, focusCard }: Props) {
  const { project, on, people, me, rights } = useDiscussion();
  const like = useLikeComment(project.id, on, me);
  const pin = usePinComment(project.id, on);
  const togglePin = () => {
    announce(comment.is_pinned ? "Unpinned" : "Pinned to the top");
    keepFocusOn(comment.id);
    focusCard();
    pin.mutate(comment);
  };
  return (
    <div className={cx("-ms-2 mt-0.5 flex items-center gap-0.5", isSending(comment) && "invisible")}>
      <LikeButton
        comment={comment}
        people={people}
        me={me}
        disabled={false}
        describedBy={headId}
        onToggle={() => !like.isPending && like.mutate(comment)}
      />
      {onReply && (
        <Button size="sm" variant="quiet" icon={Reply} aria-describedby={headId} onClick={onReply}>
          Reply
        </Button>
      )}
      <Menu
        label={`Actions for the comment by ${authorName(comment, people)}`}
        trigger={<IconButton size="sm" icon={Ellipsis} label="More" aria-describedby={headId} />}
        items={[
          { label: "Copy link", icon: Copy, onSelect: () => copyLink(comment.id) },
          rights.pin && {
            label: comment.is_pinned ? "Unpin" : "Pin",
            icon: comment.is_pinned ? PinOff : Pin,
            takesFocus: true,
            onSelect: togglePin,
          },
          ...(rights.change(comment)
            ? ([
                // The words of the author of a report stay theirs.
                comment.user_id !== null && {
                  label: "Edit",
                  icon: Pencil,
                  takesFocus: true,
                  onSelect: onEdit,
                },
                "separator",
                { label: "Delete", icon: Trash2, danger: true, onSelect: onDelete },
              ] as const)
            : []),
        ]}
      />
    </div>
  );
}

function copyLink(id: number) {
  const url = new URL(location.href);
  url.hash = `comment-${id}`;
  void copyText(url.href, "Link copied");
}
