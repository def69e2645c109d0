import { Ellipsis, Flag, Pencil, Play, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { showFailure } from "../forms/show-failure.ts";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import { toast } from "../kit/notices/toast.ts";
import { CloseSprintDialog } from "./close-sprint-dialog.tsx";
import { useDeleteSprint, useUpdateSprint } from "../data/projects/sprints.ts";
import { SprintDialog } from "./sprint-dialog.tsx";

type Props = {
  sprint: Sprint;
  /** The issues of the sprint; undefined while loading. */
  issues: readonly Issue[] | undefined;
  size?: "sm" | "md";
  onDeleted?: () => void;
};

/** Buttons to start or close a sprint, and a menu; nothing for people who may not manage the project. */
export function SprintActions({ sprint, issues, size = "md", onDeleted }: Props) {
  const project = useProject();
  const [open, setOpen] = useState<"edit" | "start" | "close" | "delete">();
  const update = useUpdateSprint(project.id);
  const close = () => setOpen(undefined);
  if (!can(project, "project:update")) return null;
  const { id, name, state } = sprint;
  const reopen = () =>
    update.mutate(
      { id, changes: { state: "active" } },
      { onError: (error) => showFailure(`${name} could not be reopened`, error) },
    );
  return (
    <>
      {state === "planned" && (
        <Button size={size} icon={Play} aria-label={`Start ${name}`} onClick={() => setOpen("start")}>
          Start
        </Button>
      )}
      {state === "active" && (
        <Button
          size={size}
          icon={Flag}
          aria-label={`Close ${name}`}
          disabled={issues === undefined}
          onClick={() => setOpen("close")}
        >
          Close
        </Button>
      )}
      <Menu
        label={`Actions for ${name}`}
        align="end"
        trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} size="sm" />}
        items={[
          { label: "Edit", icon: Pencil, onSelect: () => setOpen("edit") },
          state === "closed" && { label: "Reopen", icon: RotateCcw, onSelect: reopen },
          "separator",
          { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpen("delete") },
        ]}
      />
      {(open === "edit" || open === "start") && (
        <SprintDialog projectId={project.id} sprint={sprint} start={open === "start"} onClose={close} />
      )}
      {open === "close" && <CloseSprintDialog sprint={sprint} issues={issues ?? []} onClose={close} />}
      <DeleteSprint
        open={open === "delete"}
        sprint={sprint}
        issues={issues}
        onClose={close}
        onDeleted={onDeleted}
      />
    </>
  );
}

type DeleteProps = Pick<Props, "sprint" | "issues"> & {
  open: boolean;
  onClose: () => void;
  onDeleted: (() => void) | undefined;
};

function DeleteSprint({ open, sprint: { id, name, project_id }, issues, onClose, onDeleted }: DeleteProps) {
  const remove = useDeleteSprint(project_id);
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete “${name}”?`}
      confirm="Delete sprint"
      onConfirm={async () => {
        await remove.mutateAsync(id);
        toast({ title: "Sprint deleted", tone: "success" });
      }}
      onDone={onDeleted}
    >
      {issues !== undefined &&
        issues.length > 0 &&
        `${issues.length === 1 ? "Its issue is kept" : `Its ${issues.length} issues are kept`}, without a sprint. `}
      This can’t be undone.
    </ConfirmDialog>
  );
}
