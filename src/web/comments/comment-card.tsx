import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Globe, Lock, Megaphone, Pin, WifiOff } from "lucide-react";
import { memo, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Comment } from "../../shared/comments.ts";
import { Attachments } from "../attachments/attachments.tsx";
import { cancelQueued } from "../data/offline/send-or-queue.ts";
import { changeOfComment } from "../data/offline/queued-comments.ts";
import { useTickInComment } from "../data/tick-task.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { cx } from "../kit/cx.ts";
import { Time } from "../kit/dates/time.tsx";
import { Markdown } from "../kit/markdown/markdown.tsx";
import { hasDraft } from "../state/use-draft.ts";
import { authorName } from "./author-name.ts";
import { CommentActions } from "./comment-actions.tsx";
import { CommentEditor, focusAtEnd } from "./comment-editor.tsx";
import { keepsFocus, useDiscussion } from "./discussion.ts";
import { isSending } from "./threads.ts";

type Props = {
  comment: Comment;
  /** The functions stay the same, so that a comment renders again only when it changes. */
  onReply: (() => void) | undefined;
  onDelete: (comment: Comment) => void;
};

/** One comment with its actions. */
export const CommentCard = memo(function CommentCard({ comment, onReply, onDelete }: Props) {
  const { on, people, me, rights, marked } = useDiscussion();
  const place = `${on.type}:${on.id}:edit:${comment.id}`;
  const [editing, setEditing] = useState<boolean | "restored">(
    () => rights.change(comment) && hasDraft(me, place) && "restored",
  );
  /** Describes the buttons, whose names all comments share. */
  const headId = useId();
  const isMarked = marked === comment.id;
  const { card, focusCard } = useFocusedCard(comment.id, isMarked);
  const sending = isSending(comment) && changeOfComment(comment.id) === undefined;
  const stopEditing = () => {
    setEditing(false);
    focusCard();
  };
  return (
    <article
      ref={card}
      id={`comment-${comment.id}`}
      tabIndex={-1}
      aria-label={`Comment by ${authorName(comment, people)}`}
      aria-busy={sending || undefined}
      className={cx(
        "relative flex min-w-0 gap-3 rounded-md px-3 py-2",
        comment.is_public && BAR,
        comment.is_public && "before:bg-warn",
        sending && "opacity-70",
        isMarked && "bg-selected",
        isMarked && !comment.is_public && BAR,
        isMarked && !comment.is_public && "before:bg-accent",
      )}
    >
      <span className="pt-0.5">
        {comment.user_id === null ? (
          <ReporterMark />
        ) : (
          <Avatar person={people.of(comment.user_id) ?? null} size={24} />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <CommentHead id={headId} comment={comment} />
        {editing ? (
          <CommentEditor
            comment={comment}
            place={place}
            ref={editing === "restored" ? null : focusAtEnd}
            onClose={stopEditing}
            onRestore={() => setEditing(true)}
          />
        ) : (
          <>
            <CommentContent comment={comment} />
            <CommentActions
              comment={comment}
              headId={headId}
              onReply={onReply}
              onEdit={() => setEditing(true)}
              onDelete={() => onDelete(comment)}
              focusCard={focusCard}
            />
          </>
        )}
      </div>
    </article>
  );
});

/** Focuses the card that the address points to, and one that has moved because it was pinned. */
function useFocusedCard(id: number, isMarked: boolean) {
  const card = useRef<HTMLElement>(null);
  const focusCard = () => card.current?.focus({ preventScroll: true });
  useEffect(() => {
    if (!isMarked) return;
    card.current?.scrollIntoView({ block: "center" });
    card.current?.focus({ preventScroll: true });
  }, [isMarked]);
  useLayoutEffect(() => {
    const isFocusLost = document.activeElement === document.body;
    if (keepsFocus(id) && isFocusLost) card.current?.focus({ preventScroll: true });
  }, [id]);
  return { card, focusCard };
}

function CommentHead({ id, comment }: { id: string; comment: Comment }) {
  const { people } = useDiscussion();
  const name = authorName(comment, people);
  return (
    <header id={id} className="flex min-h-7 flex-wrap items-center gap-x-2">
      <span dir="auto" className="max-w-full min-w-0 truncate font-medium" title={name}>
        {name}
      </span>
      {isSending(comment) ? (
        <SendingNote comment={comment} />
      ) : (
        <Link to="." search state hash={`comment-${comment.id}`} className={TIME_LINK}>
          <Time at={comment.created_at} />
        </Link>
      )}
      <Audience comment={comment} />
      {comment.is_pinned && (
        <Badge tone="accent" icon={Pin}>
          Pinned
        </Badge>
      )}
    </header>
  );
}

/**
 * In place of the time: the comment is on its way, or waits for the connection and can be canceled. The button stays during an
 * attempt to send it, because a click during which the button was replaced would be lost.
 */
function SendingNote({ comment: { id } }: { comment: Comment }) {
  const client = useQueryClient();
  const [isCanceling, setCanceling] = useState(false);
  const change = changeOfComment(id);
  if (change === undefined) return <span className="text-sm text-text-3">Sending</span>;
  const cancel = () => {
    setCanceling(true);
    void cancelQueued(client, change).finally(() => setCanceling(false));
  };
  return (
    <>
      <span className="inline-flex items-center gap-1 text-sm text-warn">
        <WifiOff aria-hidden size={14} />
        Waiting for the connection
      </span>
      <Button size="sm" variant="quiet" busy={isCanceling} onClick={cancel}>
        Cancel
      </Button>
    </>
  );
}

/** In place of a picture: the author of a report has no account. */
const ReporterMark = () => (
  <span className="bg-warn-tint text-warn flex size-6 items-center justify-center rounded-full">
    <Megaphone aria-hidden size={14} />
  </span>
);

/** Who wrote or reads it, on reports that have an author outside the team. */
function Audience({ comment: { user_id, is_public } }: { comment: Comment }) {
  const { reporter } = useDiscussion();
  if (user_id === null)
    return (
      <Badge tone="warn" icon={Megaphone}>
        Reporter
      </Badge>
    );
  if (is_public)
    return (
      <Badge tone="warn" icon={Globe}>
        Public
      </Badge>
    );
  return reporter === undefined ? null : <Badge icon={Lock}>Internal</Badge>;
}

/** The text and the files. */
function CommentContent({ comment }: { comment: Comment }) {
  const { project, on, people, rights } = useDiscussion();
  const tick = useTickInComment(project.id, on, comment);
  const mentions = useMemo(() => people.all.map(({ username }) => username), [people]);
  return (
    <>
      <Markdown
        text={comment.content}
        mentions={mentions}
        onTick={rights.change(comment) && !isSending(comment) ? tick : undefined}
      />
      {comment.attachments.length > 0 && (
        <div className="pt-1.5">
          <Attachments
            project={project}
            attachments={comment.attachments}
            of={{
              kind: "comment",
              project_id: project.id,
              id: comment.id,
              path: `/api/projects/${project.id}/${on.type}/${on.id}/comments/${comment.id}`,
            }}
          />
        </div>
      )}
    </>
  );
}

const BAR = "before:absolute before:inset-y-0 before:start-0 before:w-0.5";

const TIME_LINK =
  "inline-flex min-h-6 items-center rounded-sm text-sm text-text-3 hover:text-text hover:underline";
