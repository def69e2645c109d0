import { Suspense } from "react";
import { Link, useRouterState, useSearch } from "@tanstack/react-router";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { Comments } from "../../comments/comments.tsx";
import { lazyPart } from "../../kit/lazy-part.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { TabLinks } from "../../kit/tab-links.tsx";
import { given } from "../../page/search-params.ts";
import { GroupActivity } from "./group-activity.tsx";

const GroupingPanel = lazyPart(async () => (await import("../grouping/grouping-panel.tsx")).GroupingPanel);

/** The comments on a group, what happened to it, or how its events are grouped. A link to a comment shows the comments. */
export function GroupDiscussion({ project, group }: { project: Project; group: ErrorGroup }) {
  const { show } = useSearch({ strict: false }) as { show?: string };
  const toComment = useRouterState({ select: ({ location }) => location.hash.startsWith("comment-") });
  const tab = toComment ? "comments" : show === "history" || show === "grouping" ? show : "comments";
  const link = (next: string | undefined) => (
    <Link
      to="."
      search={(before) => given({ ...before, show: next })}
      hash=""
      state
      replace
      resetScroll={false}
    />
  );
  return (
    <div className="flex min-w-0 max-w-read flex-col gap-4">
      <div data-no-print className="border-b border-line">
        <TabLinks
          label="Comments, history and grouping"
          tabs={[
            { label: "Comments", current: tab === "comments", link: link(undefined) },
            { label: "History", current: tab === "history", link: link("history") },
            { label: "Grouping", current: tab === "grouping", link: link("grouping") },
          ]}
        />
      </div>
      {tab === "history" && <GroupActivity project={project} groupId={group.id} />}
      {tab === "grouping" && (
        <Suspense fallback={<Skeleton rows={4} label="Loading the grouping" />}>
          <GroupingPanel project={project} group={group} />
        </Suspense>
      )}
      {tab === "comments" && (
        <Comments project={project} on={{ type: "error_groups", id: group.id }} heading={false} />
      )}
    </div>
  );
}
