import { useInfiniteQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import type { Project } from "../../shared/projects.ts";
import { commentsQuery, type CommentSubject } from "../data/comments.ts";
import { changeOfComment, useQueuedComments } from "../data/offline/queued-comments.ts";
import { can } from "../data/projects/projects.ts";
import { usePeople } from "../data/projects/people.ts";
import { Avatar } from "../kit/avatar.tsx";
import type { Reporter } from "../comments/audience.tsx";
import { authorName } from "../comments/author-name.ts";
import { Badge } from "../kit/badge.tsx";
import { deferredPart } from "../kit/lazy-part.tsx";
import { Markdown } from "../kit/markdown/markdown.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { Time } from "../kit/dates/time.tsx";

const MAX_SHOWN = 3;

/** Longer discussions are not loaded. */
const MAX_PAGES = 5;

type Props = {
  project: Project;
  on: CommentSubject;
  /** The comment to reply to, if there is one. */
  commentId: number | null;
  /** The author of a report from outside, who reads public comments. */
  reporter?: Reporter | undefined;
};

const ReplyField = deferredPart(async () => (await import("./reply-field.tsx")).ReplyField);

/** The latest comments, oldest first, and the field for a reply. */
export function LatestComments({ project, on, commentId, reporter }: Props) {
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = useInfiniteQuery(
    commentsQuery(project.id, on),
  );
  const people = usePeople(project.id);
  const pages = data?.pages ?? [];
  const isLong = pages.length >= MAX_PAGES;
  useEffect(() => {
    // Pages start with the oldest comment, so the latest are on the last page.
    if (hasNextPage && !isLong && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isLong, isFetchingNextPage, isError, fetchNextPage]);

  const byId = new Map(pages.flatMap((page) => page.data.map((comment) => [comment.id, comment])));
  const latest = [...byId.values()].toSorted((a, b) => a.id - b.id).slice(-MAX_SHOWN);
  const queued = useQueuedComments(project.id, on);
  const count = pages.at(-1)?.meta.count ?? 0;
  if (data === undefined) return null;
  const comment = commentId === null ? undefined : byId.get(commentId);
  const root = comment && (byId.get(comment.parent_id ?? comment.id) ?? comment);
  return (
    <section aria-label="Latest comments" className="flex flex-col gap-3">
      {latest.length > 0 && !hasNextPage && (
        <h4 className="font-semibold">
          {count > latest.length ? `Latest ${latest.length} of ${count} comments` : "Comments"}
        </h4>
      )}
      {[...(hasNextPage ? [] : latest), ...queued].map((comment) => {
        const author = people.of(comment.user_id);
        return (
          <div key={comment.id} className="flex min-w-0 gap-3">
            <Avatar person={author ?? null} size={24} />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2">
                <span dir="auto" className="font-medium">
                  {authorName(comment, people)}
                </span>
                {changeOfComment(comment.id) === undefined ? (
                  <Time at={comment.created_at} className="text-sm text-text-3" />
                ) : (
                  <span className="text-sm text-warn">Waiting for the connection</span>
                )}
                {comment.is_public && (
                  <Badge tone="warn">{comment.user_id === null ? "Reporter" : "Public"}</Badge>
                )}
              </p>
              <Markdown
                text={comment.content}
                mentions={people.all.map(({ username }) => username)}
                projectKey={project.key}
              />
            </div>
          </div>
        );
      })}
      {can(project, "comments:create") && (
        <Suspense fallback={<Skeleton rows={2} lines={2} label="Loading the editor" />}>
          <ReplyField
            project={project}
            on={on}
            rootId={root === undefined ? null : root.id}
            reporter={root === undefined || root.is_public ? reporter : undefined}
          />
        </Suspense>
      )}
    </section>
  );
}
