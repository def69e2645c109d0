import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { SelectionBar } from "../lists/selection-bar.tsx";
import type { PickField } from "./quick-pick.tsx";
import type { useIssueList } from "./use-issue-list.ts";

/** What can be picked for several at once; only the priority means the same in every project. */
const FIELDS: readonly { field: PickField; label: string; shortcut?: string; everywhere?: boolean }[] = [
  { field: "lane", label: "Lane", shortcut: "s" },
  { field: "priority", label: "Priority", shortcut: "p", everywhere: true },
  { field: "assignee", label: "Assignee", shortcut: "a" },
  { field: "label", label: "Labels", shortcut: "l" },
  { field: "sprint", label: "Sprint" },
  { field: "epic", label: "Epic" },
];

type Props = { list: ReturnType<typeof useIssueList>; mayDelete: (issue: Issue) => boolean };

/** The bar for what is ticked. */
export function SelectionActions({ list, mayDelete }: Props) {
  const [deleting, setDeleting] = useState<readonly Issue[]>();
  const { ticked, issues } = list;
  const doomed = deleting?.length === 1 ? (deleting[0]?.key ?? "") : `${deleting?.length ?? 0} issues`;
  return (
    <>
      <SelectionBar count={ticked.length} noun="issue" onClear={list.clearTicks}>
        {FIELDS.map(({ field, label, shortcut, everywhere = false }) => (
          <Button
            key={field}
            size="sm"
            shortcut={shortcut}
            disabled={!everywhere && !list.oneProject}
            title={!everywhere && !list.oneProject ? "The selection is from several projects" : undefined}
            onClick={(event) => list.openPick(field, event.currentTarget)}
          >
            {label}
          </Button>
        ))}
        {ticked.every(mayDelete) && (
          <Button size="sm" icon={Trash2} onClick={() => setDeleting(ticked)}>
            Delete
          </Button>
        )}
        {ticked.length < issues.length && (
          <Button size="sm" variant="quiet" onClick={list.tickAll}>
            {`Select all ${issues.length}`}
          </Button>
        )}
      </SelectionBar>
      <ConfirmDialog
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={`Delete ${doomed}?`}
        confirm={deleting?.length === 1 ? "Delete issue" : "Delete issues"}
        onConfirm={() => list.remove(deleting ?? [])}
      >
        Comments and attachments go too. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
