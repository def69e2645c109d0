import { useQuery } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useState } from "react";
import type { Project } from "../../shared/projects.ts";
import { allIssuesQuery } from "../data/issues/issues.ts";
import { Button } from "../kit/button.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { useAttachIssue } from "../data/projects/epics.ts";

const MAX_CHOICES = 50;

/** Adds an existing issue. The project's issues are fetched when the picker opens. */
export function AddIssue({
  project,
  to,
}: {
  project: Project;
  to: { epic_id: number } | { sprint_id: number };
}) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const all = useQuery({ ...allIssuesQuery(project.id), enabled: open });
  const attach = useAttachIssue(project.id);
  const words = text.toLowerCase().split(/\s+/);
  const matches = all.data?.filter(
    (issue) =>
      issue.closed_at === null &&
      ("epic_id" in to ? issue.epic_id !== to.epic_id : issue.sprint_id !== to.sprint_id) &&
      words.every((word) => `${issue.key} ${issue.title}`.toLowerCase().includes(word)),
  );
  return (
    <Combobox<number>
      label="Add an issue"
      placeholder="Title or key"
      value={null}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setText("");
      }}
      onSearch={setText}
      busy={open && all.isPending}
      choices={(matches ?? [])
        .slice(0, MAX_CHOICES)
        .map(({ id, key, title }) => ({ value: id, label: title, hint: key }))}
      onChange={(issueId) => issueId !== null && attach.mutate({ issueId, to })}
      trigger={
        <Button size="sm" icon={Link2} busy={attach.isPending}>
          Add existing
        </Button>
      }
    />
  );
}
