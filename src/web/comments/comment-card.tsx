import { Link } from "@tanstack/react-router";
import { Copy, Ellipsis, Pencil, Pin, PinOff, Reply, Trash2 } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Comment } from "../../shared/comments.ts";
import { Attachments } from "../attachments/attachments.tsx";
import { nameOf } from "../data/projects/people.ts";
import { can } from "../data/projects/projects.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { copyText } from "../kit/copy-text.ts";
import { cx } from "../kit/cx.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { announce } from "../kit/notices/live-region.ts";
import { Markdown } from "../kit/markdown/markdown.tsx";
import { Menu } from "../kit/menu.tsx";
import { Time } from "../kit/dates/time.tsx";
import { Composer } from "./composer.tsx";
import { keepFocusOn, keepsFocus, useDiscussion } from "./discussion.ts";
import { LikeButton } from "./like-button.tsx";
import { commentsPath, useEditComment, useLikeComment, usePinComment } from "../data/comments.ts";
import { useTickInComment } from "../data/tick-task.ts";
import { hasDraft } from "../state/use-draft.ts";
import { isSending } from "./threads.ts";

type Props = { comment: Comment; onReply: (() => void) | undefined; onDelete: () => void };

/** One comment with its actions. */
export function CommentCard({ comment, onReply, onDelete }: Props) {
  const { project, on, people, me, rights, marked } = useDiscussion();
  const place = `${on.type}:${on.id}:edit:${comment.id}`;
  const [editing, setEditing] = useState<boolean | "restored">(
    () => rights.change(comment) && hasDraft(me, place) && "restored",
  );
  const card = useRef<HTMLElement>(null);
  /** Describes the buttons, whose names all comments share. */
  const headId = useId();
  const edit = useEditComment(project.id, on);
  const like = useLikeComment(project.id, on, me);
  const pin = usePinComment(project.id, on);
  const tick = useTickInComment(project.id, on, comment);
  const sending = isSending(comment);
  const isMarked = marked === comment.id;
  const name = nameOf(people.of(comment.user_id));
  const mentions = useMemo(() => people.all.map(({ username }) => username), [people]);

  useEffect(() => {
    if (!isMarked) return;
    card.current?.scrollIntoView({ block: "center" });
    card.current?.focus({ preventScroll: true });
  }, [isMarked]);

  useLayoutEffect(() => {
    const isFocusLost = document.activeElement === document.body;
    if (keepsFocus(comment.id) && isFocusLost) card.current?.focus({ preventScroll: true });
  }, [comment.id]);

  const stopEditing = () => {
    setEditing(false);
    card.current?.focus({ preventScroll: true });
  };

  return (
    <article
      ref={card}
      id={`comment-${comment.id}`}
      tabIndex={-1}
      aria-label={`Comment by ${name}`}
      aria-busy={sending || undefined}
      className={cx(
        "relative flex min-w-0 gap-3 rounded-md px-3 py-2",
        sending && "opacity-70",
        isMarked &&
          "bg-selected before:absolute before:inset-y-0 before:start-0 before:w-0.5 before:bg-accent",
      )}
    >
      <span className="pt-0.5">
        <Avatar person={people.of(comment.user_id) ?? null} size={24} />
      </span>
      <div className="min-w-0 flex-1">
        <header id={headId} className="flex min-h-7 flex-wrap items-center gap-x-2">
          <span dir="auto" className="max-w-full min-w-0 truncate font-medium" title={name}>
            {name}
          </span>
          {sending ? (
            <span className="text-sm text-text-3">Sending</span>
          ) : (
            <Link to="." search state hash={`comment-${comment.id}`} className={TIME_LINK}>
              <Time at={comment.created_at} />
            </Link>
          )}
          {comment.is_pinned && (
            <Badge tone="accent" icon={Pin}>
              Pinned
            </Badge>
          )}
        </header>
        {editing ? (
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
            ref={editing === "restored" ? null : focusAtEnd}
            onCancel={stopEditing}
            onRestore={() => setEditing(true)}
            onSend={async (content) => {
              await edit.mutateAsync({ id: comment.id, content });
              stopEditing();
            }}
          />
        ) : (
          <>
            <Markdown
              text={comment.content}
              mentions={mentions}
              onTick={rights.change(comment) && !sending ? tick : undefined}
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
            {/* Keeps its space while the comment is being sent, so that nothing below moves afterwards. */}
            <div className={cx("-ms-2 mt-0.5 flex items-center gap-0.5", sending && "invisible")}>
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
                label={`Actions for the comment by ${name}`}
                trigger={<IconButton size="sm" icon={Ellipsis} label="More" aria-describedby={headId} />}
                items={[
                  { label: "Copy link", icon: Copy, onSelect: () => copyLink(comment.id) },
                  rights.pin && {
                    label: comment.is_pinned ? "Unpin" : "Pin",
                    icon: comment.is_pinned ? PinOff : Pin,
                    takesFocus: true,
                    onSelect: () => {
                      announce(comment.is_pinned ? "Unpinned" : "Pinned to the top");
                      keepFocusOn(comment.id);
                      card.current?.focus({ preventScroll: true });
                      pin.mutate(comment);
                    },
                  },
                  ...(rights.change(comment)
                    ? ([
                        { label: "Edit", icon: Pencil, takesFocus: true, onSelect: () => setEditing(true) },
                        "separator",
                        { label: "Delete", icon: Trash2, danger: true, onSelect: onDelete },
                      ] as const)
                    : []),
                ]}
              />
            </div>
          </>
        )}
      </div>
    </article>
  );
}

const TIME_LINK =
  "inline-flex min-h-6 items-center rounded-sm text-sm text-text-3 hover:text-text hover:underline";

function copyLink(id: number) {
  const url = new URL(location.href);
  url.hash = `comment-${id}`;
  void copyText(url.href, "Link copied");
}

/** Focuses the field when it opens, not on each render. */
function focusAtEnd(element: HTMLTextAreaElement | null) {
  if (element === null || element.dataset["focused"]) return;
  element.dataset["focused"] = "true";
  element.focus();
  element.setSelectionRange(element.value.length, element.value.length);
}
