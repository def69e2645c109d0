import { Link, useRouterState, useSearch } from "@tanstack/react-router";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { Comments } from "../comments/comments.tsx";
import { TabLinks } from "../kit/tab-links.tsx";
import { given } from "../page/search-params.ts";
import { GroupActivity } from "./group-activity.tsx";

/** The comments on a group, or what happened to it. A link to a comment shows the comments. */
export function GroupDiscussion({ project, group }: { project: Project; group: ErrorGroup }) {
  const { show } = useSearch({ strict: false }) as { show?: string };
  const toComment = useRouterState({ select: ({ location }) => location.hash.startsWith("comment-") });
  const history = show === "history" && !toComment;
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
      <div className="border-b border-line">
        <TabLinks
          label="Comments and history"
          tabs={[
            { label: "Comments", current: !history, link: link(undefined) },
            { label: "History", current: history, link: link("history") },
          ]}
        />
      </div>
      {history ? (
        <GroupActivity project={project} groupId={group.id} />
      ) : (
        <Comments project={project} on={{ type: "error_groups", id: group.id }} heading={false} />
      )}
    </div>
  );
}
