import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { MessageSquare } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Comment } from "../../shared/comments.ts";
import type { Project } from "../../shared/projects.ts";
import { QueryError } from "../page/query-error.tsx";
import { usePeople } from "../data/projects/people.ts";
import { useProfile } from "../data/account/session.ts";
import { CATALOG, keycaps } from "../keys/catalog.ts";
import { useCommand } from "../keys/commands.ts";
import { Button } from "../kit/button.tsx";
import { cx } from "../kit/cx.ts";
import { announce } from "../kit/notices/live-region.ts";
import { Skeleton } from "../kit/skeleton.tsx";
import type { Reporter } from "./audience.tsx";
import { authorName } from "./author-name.ts";
import { DeleteComment } from "./delete-comment.tsx";
import { attachPathOf, DiscussionContext, type Discussion } from "./discussion.ts";
import { Queued } from "../data/offline/queued-changes.ts";
import { useQueuedComments } from "../data/offline/queued-comments.ts";
import { commentsQuery, usePostComment, type CommentSubject } from "../data/comments.ts";
import { ReplyComposer } from "./reply-composer.tsx";
import { rightsOf } from "./rights.ts";
import { focusCard, ThreadView } from "./thread-view.tsx";
import { isSending, neighborOf, type Thread, threadsOf } from "./threads.ts";

type Props = {
  project: Project;
  on: CommentSubject;
  /** Whether the heading is visible; screen readers always have it. */
  heading?: boolean;
  /** Whether they are below a heading of level 2. */
  isSub?: boolean;
  /** The author of a report from outside, who reads public comments. */
  reporter?: Reporter | undefined;
};

/** The comments on an issue, epic, error group or report: the pinned thread, the others oldest first, and the composer. */
export function Comments({ project, on, heading = true, isSub = false, reporter }: Props) {
  const me = useProfile().id;
  const people = usePeople(project.id);
  const { type, id } = on;
  const query = useInfiniteQuery(commentsQuery(project.id, { type, id }));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const queued = useQueuedComments(project.id, on);
  const { pinned, threads } = useMemo(
    () => threadsOf([...(data?.pages ?? []), { data: queued }]),
    [data, queued],
  );
  const order = useMemo(
    () => [...(pinned ? [pinned] : []), ...threads].flatMap(({ root, replies }) => [root, ...replies]),
    [pinned, threads],
  );
  const [deleting, setDeleting] = useState<Comment>();
  const [mine, setMine] = useState<number>();
  const [replying, setReplying] = useState<Readonly<Record<number, boolean>>>({});
  const field = useRef<HTMLTextAreaElement>(null);

  const marked = useMarked();
  const sought = useSought([marked, mine], order, query);
  useCommand("print", () => void printAll(query));
  useArrivals(order, me, (comment) => authorName(comment, people));

  const discussion = useMemo<Discussion>(() => {
    const target = { type, id };
    return { project, on: target, people, me, rights: rightsOf(project, target, me), marked, reporter };
  }, [project, type, id, people, me, marked, reporter]);

  if (!data)
    return error ? (
      <QueryError error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton rows={3} lines={2} />
    );
  const viewOf = (thread: Thread) => (
    <ThreadView
      key={thread.root.id}
      thread={thread}
      replying={replying[thread.root.id]}
      onReplying={(rootId, open) => setReplying((before) => ({ ...before, [rootId]: open }))}
      onDelete={setDeleting}
    />
  );
  const count = (data.pages.at(-1)?.meta.count ?? 0) + queued.length;
  const left = count - order.length;
  return (
    <DiscussionContext value={discussion}>
      <section aria-label="Comments" className="flex min-w-0 flex-col gap-3">
        <CommentsHeading level={isSub ? "h3" : "h2"} isVisible={heading} count={count} />
        {marked !== undefined && sought === marked && !hasNextPage && (
          <p role="status" className="rounded-md bg-warn-tint px-3 py-2 text-warn">
            The comment this link points to was deleted.
          </p>
        )}
        {pinned && (
          <ul aria-label="Pinned" className="rounded-md border border-line bg-surface">
            {viewOf(pinned)}
          </ul>
        )}
        {threads.length > 0 && (
          <ol aria-label="Threads" className="-mx-3 flex flex-col gap-1">
            {threads.map(viewOf)}
          </ol>
        )}
        {hasNextPage && (
          <MoreComments left={left} busy={isFetchingNextPage} onShow={() => void fetchNextPage()} />
        )}
        {count === 0 && <NoComments mayWrite={discussion.rights.write} />}
        {discussion.rights.write ? (
          <NewComment discussion={discussion} ref={field} onPosted={setMine} />
        ) : (
          <p className="text-sm text-text-3">Your role in this project doesn’t allow you to comment.</p>
        )}
        {deleting && (
          <DeleteComment
            comment={deleting}
            replies={order.filter(({ parent_id }) => parent_id === deleting.id).length}
            onClose={() => setDeleting(undefined)}
            onDeleted={() => {
              const next = neighborOf(order, deleting);
              if (next) focusCard(next.id);
              else field.current?.focus();
            }}
          />
        )}
      </section>
    </DiscussionContext>
  );
}

type CommentPages = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<{ hasNextPage: boolean; isError: boolean }>;
};

/**
 * Loads pages until they contain the comments that a link points to, or that were just written. Returns the first of them that is
 * still missing.
 */
function useSought(
  wanted: readonly (number | undefined)[],
  order: readonly Comment[],
  { hasNextPage, isFetchingNextPage, fetchNextPage }: CommentPages,
): number | undefined {
  const sought = wanted.find((id) => id !== undefined && !order.some((comment) => comment.id === id));
  useEffect(() => {
    if (sought !== undefined && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [sought, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return sought;
}

async function printAll({ hasNextPage, fetchNextPage }: CommentPages): Promise<void> {
  for (let isMore = hasNextPage; isMore;) {
    const next = await fetchNextPage();
    isMore = next.hasNextPage && !next.isError;
  }
  // After the comments have been rendered.
  setTimeout(() => print());
}

type HeadingProps = { level: "h2" | "h3"; isVisible: boolean; count: number };

function CommentsHeading({ level: Heading, isVisible, count }: HeadingProps) {
  return (
    <Heading
      className={cx(
        "print:not-sr-only print:font-semibold",
        isVisible ? "font-semibold" : "sr-only",
        count === 0 && "print:hidden",
      )}
    >
      Comments {count > 0 && <span className="font-normal text-text-3">{count}</span>}
    </Heading>
  );
}

function NoComments({ mayWrite }: { mayWrite: boolean }) {
  return (
    <p className="flex items-center gap-2 text-text-3 print:hidden">
      <MessageSquare aria-hidden size={16} />
      {mayWrite ? "No comments yet. Be the first to comment." : "No comments yet."}
    </p>
  );
}

type NewProps = {
  discussion: Discussion;
  ref: RefObject<HTMLTextAreaElement | null>;
  onPosted: (id: number) => void;
};

function NewComment({ discussion: { project, on, me, rights, reporter }, ref, onPosted }: NewProps) {
  const post = usePostComment(project.id, on, me);
  return (
    <ReplyComposer
      reporter={rights.reply ? reporter : undefined}
      projectId={project.id}
      place={`${on.type}:${on.id}`}
      label="Write a comment"
      send="Comment"
      ref={ref}
      attachPath={attachPathOf(project, on)}
      onSend={async (content, attachment_ids, is_public) => {
        const answer = await post.mutateAsync({ content, parent_id: null, attachment_ids, is_public });
        if (!(answer instanceof Queued)) onPosted(answer.id);
      }}
    />
  );
}

type MoreProps = { left: number; busy: boolean; onShow: () => void };

function MoreComments({ left, busy, onShow }: MoreProps) {
  return (
    <>
      <Button busy={busy} onClick={onShow} className="self-center">
        Show more comments{left > 0 && ` (${left})`}
      </Button>
      <p className="hidden print:block">
        {`${left} more comments are not printed. “${CATALOG.print.label}” (${keycaps(CATALOG.print.keys).join(" ")}) includes them.`}
      </p>
    </>
  );
}

/** The comment in the fragment of the address: `#comment-5`. */
function useMarked(): number | undefined {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const found = /^comment-(\d{1,15})$/.exec(hash)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Announces new comments by others to screen readers. */
function useArrivals(order: readonly Comment[], me: number, authorOf: (comment: Comment) => string) {
  const newest = useRef<number>(undefined);
  useEffect(() => {
    const arrived = order.filter((comment) => !isSending(comment));
    const last = Math.max(0, ...arrived.map(({ id }) => id));
    const fresh = arrived.filter(({ id, user_id }) => id > (newest.current ?? last) && user_id !== me);
    const [first] = fresh;
    if (first)
      announce(fresh.length === 1 ? `New comment by ${authorOf(first)}` : `${fresh.length} new comments`);
    if (order.length > 0 || newest.current !== undefined)
      newest.current = Math.max(last, newest.current ?? 0);
  });
}
