import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { SelectionBar } from "../lists/selection-bar.tsx";
import type { PickField } from "./quick-pick.tsx";
import type { useIssueList } from "./use-issue-list.ts";

/** The fields of a bulk change. Only the priority has the same values in every project. */
const FIELDS: readonly { field: PickField; label: string; shortcut?: string; anyProject?: boolean }[] = [
  { field: "lane", label: "Lane", shortcut: "s" },
  { field: "priority", label: "Priority", shortcut: "p", anyProject: true },
  { field: "assignee", label: "Assignee", shortcut: "a" },
  { field: "label", label: "Labels", shortcut: "l" },
  { field: "sprint", label: "Sprint" },
  { field: "epic", label: "Epic" },
];

type Props = { list: ReturnType<typeof useIssueList>; mayDelete: (issue: Issue) => boolean };

/** The bar of actions for the selected issues. */
export function SelectionActions({ list, mayDelete }: Props) {
  const [deleting, setDeleting] = useState<readonly Issue[]>();
  const { selected, rows } = list;
  const names = deleting?.length === 1 ? (deleting[0]?.key ?? "") : `${deleting?.length ?? 0} issues`;
  return (
    <>
      <SelectionBar count={selected.length} noun="issue" onClear={list.clearSelection}>
        {FIELDS.map(({ field, label, shortcut, anyProject = false }) => (
          <Button
            key={field}
            size="sm"
            shortcut={shortcut}
            disabled={!anyProject && !list.isOneProject}
            title={
              !anyProject && !list.isOneProject ? "The selected issues belong to several projects" : undefined
            }
            onClick={(event) => list.openPick(field, event.currentTarget)}
          >
            {label}
          </Button>
        ))}
        {selected.every(mayDelete) && (
          <Button size="sm" icon={Trash2} onClick={() => setDeleting(selected)}>
            Delete
          </Button>
        )}
        {selected.length < rows.length && (
          <Button size="sm" variant="quiet" onClick={list.selectAll}>
            {`Select all ${rows.length}`}
          </Button>
        )}
      </SelectionBar>
      <ConfirmDialog
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={`Delete ${names}?`}
        confirm={deleting?.length === 1 ? "Delete issue" : "Delete issues"}
        onConfirm={() => list.remove(deleting ?? [])}
      >
        Comments and attachments will also be deleted. This can’t be undone.
      </ConfirmDialog>
    </>
  );
}
