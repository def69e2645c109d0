import { useState } from "react";
import type { Epic } from "../../shared/epics.ts";
import { useSetEpicState } from "../data/projects/epics.ts";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { openIn } from "./lane-counts.ts";

/** Marks an epic as done or opens it again. Asks first if it still has open issues; render `question`. */
export function useSetDone(projectId: number, epic: Epic) {
  const setState = useSetEpicState(projectId);
  const [asking, setAsking] = useState(false);
  const open = openIn(epic.issue_counts);
  const set = (state: Epic["state"]) => setState.mutate({ id: epic.id, state });
  const toggle = () => {
    if (epic.state === "done") set("open");
    else if (open > 0) setAsking(true);
    else set("done");
  };
  const question = (
    <ConfirmDialog
      open={asking}
      onClose={() => setAsking(false)}
      title={`Mark “${epic.title}” as done?`}
      confirm="Mark as done"
      tone="primary"
      onConfirm={() => set("done")}
    >
      {open === 1 ? "1 of its issues is still open" : `${open} of its issues are still open`} and will remain
      open.
    </ConfirmDialog>
  );
  return { toggle, question };
}
