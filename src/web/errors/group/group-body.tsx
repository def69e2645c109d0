import { Suspense } from "react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { deferredPart } from "../../kit/lazy-part.tsx";
import { keepFocus } from "../../kit/keep-focus.ts";
import { StickyRail } from "../../kit/sticky-rail.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useSideBySide } from "../../lists/use-side-by-side.ts";
import { EventView } from "./event-view.tsx";
import { GroupChart } from "./group-chart.tsx";
import { GroupCounts } from "./group-counts.tsx";
import { GroupFacts } from "./group-facts.tsx";
import { GroupReports } from "./group-reports.tsx";
import { GroupState } from "./group-state.tsx";
import { GroupTitle } from "./group-title.tsx";
import { LongText } from "../event/long-text.tsx";
import { IGNORED } from "../../data/errors/group-status.ts";
import { messageTitle } from "./message-title.ts";

// The picker and the editor are larger than the rest of the page.
const ProgressOfError = deferredPart(
  async () => (await import("../../lifecycle/progress.tsx")).ProgressOfError,
);
const GitLinks = deferredPart(async () => (await import("../../lifecycle/git-links.tsx")).GitLinks);
const SessionShare = deferredPart(async () => (await import("./session-share.tsx")).SessionShare);
const SuspectCommits = deferredPart(async () => (await import("./suspect-commits.tsx")).SuspectCommits);
const GroupAssignee = deferredPart(async () => (await import("./group-assignee.tsx")).GroupAssignee);
const GroupDiscussion = deferredPart(async () => (await import("./group-discussion.tsx")).GroupDiscussion);

/** Message, chart and stack trace on the left, facts and counts on the right; stacked on narrow screens, with the assignee first. */
export function GroupBody({ group, project, asOf }: { group: ErrorGroup; project: Project; asOf: number }) {
  const isWide = useSideBySide();
  const assignee = (
    <Suspense fallback={<div className="h-13 border-b border-line" />}>
      <GroupAssignee group={group} project={project} />
    </Suspense>
  );
  return (
    <div className="flex flex-1 flex-col md:flex-row">
      <div className="flex min-w-0 flex-1 flex-col gap-6 px-4 py-4">
        <div className="flex flex-col gap-2">
          <GroupTitle group={group} />
          <GroupState group={group} marked />
          {group.status !== IGNORED && (
            <Suspense fallback={<div className="h-4" />}>
              <ProgressOfError project={project} group={group} />
            </Suspense>
          )}
          {/* The heading has a short message already. */}
          {messageTitle(group.latest_message) !== group.latest_message.trim() && (
            <LongText text={group.latest_message} none="No message." />
          )}
        </div>
        {!isWide && <div className="-mx-4 border-t border-line bg-surface">{assignee}</div>}
        <GroupChart group={group} asOf={asOf} />
        <EventView group={group} project={project} />
        {group.git_links.length > 0 && (
          <Suspense fallback={null}>
            <GitLinks project={project} links={group.git_links} />
          </Suspense>
        )}
        <Suspense fallback={<Skeleton rows={3} label="Loading the comments" />}>
          <GroupDiscussion project={project} group={group} />
        </Suspense>
      </div>
      <aside
        ref={keepFocus}
        aria-label="Details"
        className="border-line bg-surface max-md:border-t md:w-72 md:shrink-0 lg:w-90 md:border-s"
      >
        <StickyRail>
          {isWide && assignee}
          <GroupFacts group={group} project={project} />
          <GroupCounts group={group} project={project} />
          {/* These are last, because they appear only if there are any. */}
          <Suspense fallback={null}>
            <SessionShare group={group} project={project} />
            <SuspectCommits group={group} project={project} />
          </Suspense>
          <GroupReports group={group} project={project} />
        </StickyRail>
      </aside>
    </div>
  );
}
