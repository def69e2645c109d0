import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { issuesQuery } from "../../data/issues/issues.ts";
import { useLanes } from "../../data/projects/lanes.ts";
import { can } from "../../data/projects/projects.ts";
import { ItemKey } from "../../lists/item-key.tsx";
import { TypeMark } from "../../marks/type-mark.tsx";
import { LaneMark } from "../../marks/lane-mark.tsx";
import { SectionHead } from "../../kit/section-head.tsx";
import { openFirst } from "../board-order.ts";
import type { PartOpener } from "../part-opener.ts";
import { QuickAdd } from "../quick-add.tsx";

type Props = { project: Project; issue: Issue; opener: PartOpener };

/** The sub-issues of an issue, open ones first, how many of them are done, and a field that adds one. */
export function SubIssues({ project, issue, opener }: Props) {
  const { total, done } = issue.sub_issue_counts;
  const isEmpty = total === 0;
  const { data = [] } = useQuery({
    ...issuesQuery(project.id, { parent_id: String(issue.id) }),
    enabled: !isEmpty,
  });
  const lanes = useLanes(project.id);
  const mayAdd = can(project, "issues:create");
  if (isEmpty && !opener.open) return null;
  return (
    <section aria-label="Sub-issues" className="min-w-0">
      <SectionHead
        title="Sub-issues"
        isEmpty={isEmpty}
        aside={
          !isEmpty && (
            <>
              <span className="font-normal">{`${done} of ${total} done`}</span>
              <span aria-hidden className="h-1 w-20 overflow-hidden rounded-full bg-line">
                <span
                  className="block h-full bg-resolved"
                  style={{ width: `${Math.round((done / total) * 100)}%` }}
                />
              </span>
            </>
          )
        }
      />
      <ul className="flex flex-col">
        {openFirst(data, lanes).map(({ id, key, title, type, lane_id }) => {
          const lane = lanes.find((one) => one.id === lane_id);
          return (
            <li key={id} className="flex min-h-8 min-w-0 items-center gap-2">
              {lane ? <LaneMark kind={lane.kind} name={lane.name} compact /> : <span className="size-4" />}
              <Link
                to="/projects/$projectKey/issues/$issueKey"
                params={{ projectKey: project.key, issueKey: key }}
                className="flex min-h-6 min-w-0 flex-1 items-center gap-2 rounded-sm hover:underline"
                title={`${key} ${title}`}
              >
                <TypeMark type={type} compact />
                <ItemKey>{key}</ItemKey>
                <span dir="auto" className="truncate">
                  {title}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
      {mayAdd && (
        <div className={isEmpty ? undefined : "-mx-2"}>
          <QuickAdd
            projectId={project.id}
            name={issue.key}
            thing="sub-issue"
            fields={{ parent_id: issue.id }}
            open={opener.open}
            onOpenChange={opener.onOpenChange}
            opener={isEmpty ? opener.button : null}
          />
        </div>
      )}
    </section>
  );
}
