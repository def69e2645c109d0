import { useEffect, useRef, useState } from "react";
import type { Comment } from "../../shared/comments.ts";
import { CommentCard } from "./comment-card.tsx";
import { attachPathOf, useDiscussion } from "./discussion.ts";
import { ReplyComposer } from "./reply-composer.tsx";
import { returnedTexts } from "../state/drafts.ts";
import { useStore } from "../state/store.ts";
import { hasDraft } from "../state/use-draft.ts";
import { Queued } from "../data/offline/queued-changes.ts";
import { queuedCommentId } from "../data/offline/queued-comments.ts";
import { usePostComment } from "../data/comments.ts";
import { useLatest } from "../lists/use-latest.ts";
import { isSending, type Thread } from "./threads.ts";

type Props = {
  thread: Thread;
  /** Whether the reply field is open; undefined until it was opened or closed. The parent keeps it, because pinning remounts the thread. */
  replying: boolean | undefined;
  onReplying: (rootId: number, replying: boolean) => void;
  onDelete: (comment: Comment) => void;
};

/** A root comment, its replies, and the reply field. A reply with a draft is open again after a reload. */
export function ThreadView({ thread: { root, replies }, replying: chosen, onReplying, onDelete }: Props) {
  const { project, on, me, rights, reporter } = useDiscussion();
  const place = `${on.type}:${on.id}:reply:${root.id}`;
  const [hadDraft] = useState(() => hasDraft(me, place));
  const isReturned = useStore(returnedTexts).has(place) && hasDraft(me, place);
  const replying = rights.write && (chosen === true || isReturned || (chosen ?? hadDraft));
  const setReplying = (open: boolean) => onReplying(root.id, open);
  const post = usePostComment(project.id, on, me);
  const mayReply = rights.write && !isSending(root);
  const landing = useRef<number>(undefined);
  useEffect(() => {
    // Closing the field loses the focus; move it to the reply once that is on the page.
    if (landing.current === undefined || document.activeElement !== document.body) return;
    if (focusCard(landing.current)) landing.current = undefined;
  });
  const actions = useLatest({ onReply: () => setReplying(true), onDelete });
  const reply = mayReply ? actions.onReply : undefined;

  return (
    <li className="min-w-0">
      <CommentCard comment={root} onReply={reply} onDelete={actions.onDelete} />
      {(replies.length > 0 || replying) && (
        <div className="ms-6 border-s border-line ps-2 sm:ms-9">
          {replies.length > 0 && (
            <ol aria-label="Replies">
              {replies.map((comment) => (
                <li key={comment.id}>
                  <CommentCard comment={comment} onReply={reply} onDelete={actions.onDelete} />
                </li>
              ))}
            </ol>
          )}
          {replying && mayReply && (
            <div className="px-3 py-2">
              <ReplyComposer
                reporter={rights.reply && root.is_public ? reporter : undefined}
                projectId={project.id}
                place={place}
                label="Reply"
                send={reporter === undefined ? "Reply" : "Reply internally"}
                ref={focusWhenNew}
                attachPath={attachPathOf(project, on)}
                onCancel={() => {
                  setReplying(false);
                  focusCard(root.id);
                }}
                onRestore={() => setReplying(true)}
                onSend={async (content, attachment_ids, is_public) => {
                  const answer = await post.mutateAsync({
                    content,
                    parent_id: root.id,
                    attachment_ids,
                    is_public,
                  });
                  setReplying(false);
                  landing.current = answer instanceof Queued ? queuedCommentId(answer.id) : answer.id;
                }}
              />
            </div>
          )}
        </div>
      )}
    </li>
  );
}

/** Focuses the card of a comment. Returns whether there is one. */
export function focusCard(id: number): boolean {
  const card = document.getElementById(`comment-${id}`);
  card?.focus();
  return card !== null;
}

/** Focuses the field when it opens empty; not with a draft, and not after a look at the preview. */
function focusWhenNew(element: HTMLTextAreaElement | null) {
  if (element?.value !== "") return;
  element.focus();
  // The buttons below the field as well.
  element.form?.scrollIntoView({ block: "nearest" });
}
