import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { useFindIssues, useIssuesById } from "../../data/issue-relations.ts";
import { Combobox } from "../../kit/combobox.tsx";
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
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const other = useIssuesById(project.id, value === null ? NOBODY : [value]).of(value ?? 0);
  const found = useFindIssues(project.id, project.key, useDeferredValue(query), open);
  const shown =
    value === null ? (
      <None>{none}</None>
    ) : (
      <span dir="auto" className="truncate" title={other?.title}>
        {other ? `${other.key} ${other.title}` : "…"}
      </span>
    );
  const choices = (found.data ?? [])
    .filter(({ id }) => id !== issue.id)
    .map(({ id, key, title }) => ({ value: id, label: `${key} ${title}` }));
  return (
    <>
      {editable ? (
        <Combobox
          label={label}
          value={value}
          none={none}
          choices={choices}
          busy={found.isFetching}
          open={open}
          onOpenChange={(next) => {
            setOpen(next);
            if (!next) setQuery("");
          }}
          onSearch={setQuery}
          onChange={onChange}
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
          title={`Open ${other.key}`}
          className="ms-2 flex size-7 shrink-0 items-center justify-center rounded-md text-text-3 hover:bg-hover hover:text-text"
        >
          <ArrowUpRight aria-hidden size={16} />
        </Link>
      )}
    </>
  );
}

const NOBODY: number[] = [];
