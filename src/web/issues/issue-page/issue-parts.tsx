import { CircleArrowOutUpRight, CircleSlash2, Link2, ListTree, Paperclip, Plus } from "lucide-react";
import { type RefObject, Suspense, useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { mayLinkErrors } from "../../data/errors/link-group.ts";
import { can } from "../../data/projects/projects.ts";
import { Button } from "../../kit/button.tsx";
import { keepFocus } from "../../kit/keep-focus.ts";
import { KIND_ICONS } from "../../marks/kind-icons.ts";
import { deferredPart } from "../../kit/lazy-part.tsx";
import { Menu } from "../../kit/menu.tsx";
import type { MenuItem } from "../../kit/menu-entry.ts";
import { Relations } from "../issue-relations/relations.tsx";
import type { PartOpener } from "../part-opener.ts";
import { Sources } from "./sources.tsx";

/** Uploads, the list of files and sub-issues load after the page, which has much code already. */
const IssueFiles = deferredPart(() => import("./issue-files.tsx").then((module) => module.IssueFiles));
const SubIssues = deferredPart(() =>
  import("../issue-relations/sub-issues.tsx").then((module) => module.SubIssues),
);

type Part = "sub-issues" | "sources" | "blocked_by_ids" | "blocks_ids" | "relates_to_ids";

type Props = { project: Project; issue: Issue; fileInput: RefObject<HTMLInputElement | null> };

/** The files, sources, sub-issues and relations of an issue, and a menu that adds to those that are empty. */
export function IssueParts({ project, issue, fileInput }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<Part>>(new Set());
  const [row, setRow] = useState<HTMLElement | null>(null);
  const setOpen = (part: Part, open: boolean) =>
    setOpened((before) => new Set([...before].filter((other) => other !== part).concat(open ? part : [])));
  const openerOf = (part: Part): PartOpener => ({
    open: opened.has(part),
    onOpenChange: (open) => setOpen(part, open),
    button: row?.querySelector("button") ?? null,
  });
  const entry = (part: Part, label: string, icon: MenuItem["icon"]): MenuItem => ({
    label,
    icon,
    onSelect: () => setOpen(part, true),
    takesFocus: true,
  });
  const mayUpdate = can(project, "issues:update");
  const mayAddFile = can(project, "attachments:create") && issue.attachments.length === 0;
  const entries = [
    issue.sub_issue_counts.total === 0 &&
      can(project, "issues:create") &&
      entry("sub-issues", "Sub-issue", ListTree),
    mayUpdate && issue.blocked_by_ids.length === 0 && entry("blocked_by_ids", "Blocking issue", CircleSlash2),
    mayUpdate && issue.blocks_ids.length === 0 && entry("blocks_ids", "Blocked issue", CircleArrowOutUpRight),
    mayUpdate && issue.relates_to_ids.length === 0 && entry("relates_to_ids", "Related issue", Link2),
    mayLinkErrors(project) &&
      issue.error_group_ids.length + issue.report_ids.length + issue.duplicate_report_ids.length === 0 &&
      entry("sources", "Error", KIND_ICONS.error),
  ];
  return (
    <div ref={keepFocus} className="contents">
      <Suspense fallback={issue.attachments.length > 0 && <div className="h-8" />}>
        <IssueFiles project={project} issue={issue} input={fileInput} />
      </Suspense>
      <Sources project={project} issue={issue} opener={openerOf("sources")} />
      <Suspense fallback={issue.sub_issue_counts.total > 0 && <div className="h-24" />}>
        <SubIssues project={project} issue={issue} opener={openerOf("sub-issues")} />
      </Suspense>
      <Relations project={project} issue={issue} openerOf={openerOf} />
      {(mayAddFile || entries.some(Boolean)) && (
        <div ref={setRow} data-no-print className="-ms-2 flex">
          <Menu
            label={`Add to ${issue.key}`}
            trigger={
              <Button
                size="sm"
                variant="quiet"
                icon={Plus}
                aria-label={`Add to ${issue.key}`}
                data-control="add-part"
              >
                Add
              </Button>
            }
            items={[
              ...entries,
              mayAddFile && {
                label: "File",
                icon: Paperclip,
                onSelect: () => fileInput.current?.click(),
              },
            ]}
          />
        </div>
      )}
    </div>
  );
}
