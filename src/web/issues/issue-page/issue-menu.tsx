import { Copy, Ellipsis, Link2, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { can } from "../../data/projects/projects.ts";
import { copyText } from "../../kit/copy-text.ts";
import { IconButton } from "../../kit/icon-button.tsx";
import { Menu } from "../../kit/menu.tsx";
import { DeleteIssue } from "./delete-issue.tsx";

/** The actions on an issue. */
export function IssueMenu({ project, issue }: { project: Project; issue: Issue }) {
  const [deleting, setDeleting] = useState(false);
  const mayDelete = can(project, "issues:delete");
  const copyKey = () => void copyText(issue.key, `${issue.key} copied`);
  const copyLink = () =>
    void copyText(`${location.origin}/projects/${project.key}/issues/${issue.key}`, "Link copied");
  usePaletteCommand("copy-issue-key", `Copy key ${issue.key}`, copyKey);
  usePaletteCommand("copy-issue-link", `Copy link to ${issue.key}`, copyLink);
  usePaletteCommand("delete-issue", `Delete ${issue.key}`, () => setDeleting(true), mayDelete);
  return (
    <>
      <Menu
        label={`Actions for ${issue.key}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label="More" variant="default" />}
        items={[
          { label: "Copy key", icon: Copy, onSelect: copyKey },
          { label: "Copy link", icon: Link2, onSelect: copyLink },
          mayDelete && "separator",
          mayDelete && { label: "Delete", icon: Trash2, danger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <DeleteIssue project={project} issue={issue} open={deleting} onClose={() => setDeleting(false)} />
    </>
  );
}
