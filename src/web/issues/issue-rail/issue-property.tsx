import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { useIssuesById } from "../../data/issues/issue-relations.ts";
import { tooltip } from "../../kit/tooltip.ts";
import { IssuePicker } from "../issue-picker.tsx";
import { None, railButton } from "./property.tsx";

type Props = {
  project: Project;
  issue: Issue;
  /** "Parent" or "Duplicate of" */
  label: string;
  none: string;
  value: number | null;
  editable: boolean;
  onChange: (id: number | null) => void;
};

/** Another issue of the project, or none. */
export function IssueProperty({ project, issue, label, none, value, editable, onChange }: Props) {
  const other = useIssuesById(project.id, value === null ? NOBODY : [value]).of(value ?? 0);
  const shown =
    value === null ? (
      <None>{none}</None>
    ) : (
      <span dir="auto" className="truncate" title={other?.title}>
        {other ? `${other.key} ${other.title}` : "…"}
      </span>
    );
  return (
    <>
      {editable ? (
        <IssuePicker
          {...{ project, label, none, value, onChange }}
          except={[issue.id]}
          trigger={railButton(label, shown)}
        />
      ) : (
        shown
      )}
      {other && (
        <Link
          to="/projects/$projectKey/issues/$issueKey"
          params={{ projectKey: project.key, issueKey: other.key }}
          aria-label={`Open ${other.key}`}
          {...tooltip(`Open ${other.key}`)}
          className="ms-2 flex size-7 shrink-0 items-center justify-center rounded-md text-text-3 hover:bg-hover hover:text-text"
        >
          <ArrowUpRight aria-hidden size={16} />
        </Link>
      )}
    </>
  );
}

const NOBODY: number[] = [];
