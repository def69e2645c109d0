import { useState } from "react";
import type { Issue } from "../../../shared/issues.ts";
import { useCommand, usePaletteCommand } from "../../keys/commands.ts";

type Picker = "lane" | "priority" | "type" | "assignee" | "labels" | "sprint" | "epic";

/** The pickers whose buttons a phone may leave out. */
const MINOR: ReadonlySet<Picker> = new Set(["type", "labels", "sprint", "epic"]);

/** Which picker of the rail is open, and the keys and commands that open them. */
export function useRailPickers({ key, project_id: projectId }: Issue, editable: boolean) {
  const [open, setOpen] = useState<Picker>();
  const of = { enabled: editable };
  useCommand("lane", () => setOpen("lane"), { ...of, label: `Change the lane of ${key}` });
  useCommand("priority", () => setOpen("priority"), { ...of, label: `Change the priority of ${key}` });
  useCommand("assign", () => setOpen("assignee"), { ...of, label: `Assign ${key}` });
  useCommand("label", () => setOpen("labels"), { ...of, label: `Change the labels of ${key}` });
  usePaletteCommand("issue-type", `Change the type of ${key}`, () => setOpen("type"), editable);
  usePaletteCommand("issue-sprint", `Change the sprint of ${key}`, () => setOpen("sprint"), editable);
  usePaletteCommand("issue-epic", `Change the epic of ${key}`, () => setOpen("epic"), editable);
  return {
    /** The open picker needs its button, which a phone may have left out. */
    needsMinor: open !== undefined && MINOR.has(open),
    picker: (name: Picker) => ({
      projectId,
      open: open === name,
      onOpenChange: (next: boolean) => setOpen(next ? name : undefined),
    }),
  };
}

export type RailPickers = ReturnType<typeof useRailPickers>;
