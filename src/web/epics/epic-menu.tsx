import { CircleCheck, Ellipsis, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Epic } from "../../shared/epics.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import { toast } from "../kit/notices/toast.ts";
import { EpicDialog } from "./epic-dialog.tsx";
import { totalOf } from "./lane-counts.ts";
import { useDeleteEpic } from "../data/projects/epics.ts";
import { useSetDone } from "./use-set-done.tsx";

/** The actions for an epic; nothing if the person may do none. `onDeleted` is called after it was deleted. */
export function EpicMenu({ epic, onDeleted }: { epic: Epic; onDeleted?: () => void }) {
  const project = useProject();
  const [open, setOpen] = useState<"edit" | "delete">();
  const done = useSetDone(project.id, epic);
  const remove = useDeleteEpic(project.id);
  const close = () => setOpen(undefined);
  const isOpen = epic.state === "open";
  const mayUpdate = can(project, "epics:update");
  const mayDelete = can(project, "epics:delete");
  const issues = totalOf(epic.issue_counts);
  if (!mayUpdate && !mayDelete) return null;
  return (
    <>
      <Menu
        label={`Actions for ${epic.title}`}
        align="end"
        trigger={<IconButton label={`Actions for ${epic.title}`} icon={Ellipsis} size="sm" />}
        items={[
          mayUpdate && { label: "Edit", icon: Pencil, onSelect: () => setOpen("edit") },
          mayUpdate && {
            label: isOpen ? "Mark as done" : "Reopen",
            icon: isOpen ? CircleCheck : RotateCcw,
            onSelect: done.toggle,
          },
          mayUpdate && mayDelete && "separator",
          mayDelete && { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpen("delete") },
        ]}
      />
      {done.question}
      {open === "edit" && <EpicDialog projectId={project.id} epic={epic} onClose={close} />}
      <ConfirmDialog
        open={open === "delete"}
        onClose={close}
        title={`Delete “${epic.title}”?`}
        confirm="Delete epic"
        onConfirm={async () => {
          await remove.mutateAsync(epic.id);
          toast({ title: "Epic deleted", tone: "success" });
        }}
        onDone={onDeleted}
      >
        {issues > 0 &&
          `${issues === 1 ? "Its issue is kept" : `Its ${issues} issues are kept`}, without an epic. `}
        Its description and comments will be deleted. This can’t be undone.
      </ConfirmDialog>
    </>
  );
}
