import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { commentsQuery } from "../data/comments.ts";
import { nameOf, usePeople } from "../data/people.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Markdown } from "../kit/markdown.tsx";
import { Time } from "../kit/time.tsx";

const SHOWN = 3;

/** Longer discussions are not loaded. */
const MAX_PAGES = 5;

/** The latest comments on an issue, oldest first; nothing if there are none or they cannot be read. */
export function LatestComments({ projectId, issueId }: { projectId: number; issueId: number }) {
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = useInfiniteQuery(
    commentsQuery(projectId, { type: "issues", id: issueId }),
  );
  const people = usePeople(projectId);
  const pages = data?.pages ?? [];
  const isLong = pages.length >= MAX_PAGES;
  useEffect(() => {
    // Pages start with the oldest comment, so the latest are on the last page.
    if (hasNextPage && !isLong && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isLong, isFetchingNextPage, isError, fetchNextPage]);

  const byId = new Map(pages.flatMap((page) => page.data.map((comment) => [comment.id, comment])));
  const latest = [...byId.values()].toSorted((a, b) => a.id - b.id).slice(-SHOWN);
  const count = pages.at(-1)?.meta.count ?? 0;
  if (latest.length === 0 || hasNextPage) return null;
  return (
    <section aria-label="Latest comments" className="flex flex-col gap-3">
      <h4 className="font-semibold">
        {count > latest.length ? `Latest ${latest.length} of ${count} comments` : "Comments"}
      </h4>
      {latest.map((comment) => {
        const author = people.of(comment.user_id);
        return (
          <div key={comment.id} className="flex min-w-0 gap-3">
            <Avatar person={author ?? null} size={24} />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2">
                <span dir="auto" className="font-medium">
                  {nameOf(author)}
                </span>
                <Time at={comment.created_at} className="text-sm text-text-3" />
              </p>
              <Markdown text={comment.content} mentions={people.all.map(({ username }) => username)} />
            </div>
          </div>
        );
      })}
    </section>
  );
}
