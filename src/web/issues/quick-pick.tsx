import { type Ref, useLayoutEffect } from "react";
import type { Issue } from "../../shared/issues.ts";
import { LabelQuickPick } from "./label-quick-pick.tsx";
import {
  AssigneePicker,
  EpicPicker,
  LanePicker,
  PriorityPicker,
  SprintPicker,
  TypePicker,
} from "./pickers.tsx";
import type { ChangeIssues, ChangeOf } from "../data/issues/use-bulk-change.ts";

export type PickField = "lane" | "priority" | "type" | "assignee" | "label" | "epic" | "sprint";

/** The field being picked, the issues of one project to change, and the element to open beside. */
export type Pick = { field: PickField; issues: readonly Issue[]; anchor: HTMLElement };

export type QuickPickProps = {
  pick: Pick;
  onChange: ChangeIssues;
  onClose: () => void;
};

/** One picker for a whole list, which opens beside the cell, row or button that requested it. */
export function QuickPick({ pick: { field, issues, anchor }, onChange, onClose }: QuickPickProps) {
  const [first] = issues;
  const shared = {
    projectId: first?.project_id ?? 0,
    open: true,
    onOpenChange: (open: boolean) => !open && onClose(),
    trigger: <Anchor element={anchor} />,
  };
  const set = (changeOf: ChangeOf) => {
    onClose();
    void onChange(issues, changeOf);
  };
  const same = <Name extends keyof Issue>(name: Name): Issue[Name] | undefined =>
    first !== undefined && issues.every((issue) => issue[name] === first[name]) ? first[name] : undefined;

  switch (field) {
    case "lane":
      return (
        <LanePicker {...shared} value={same("lane_id")} onChange={(lane_id) => set(() => ({ lane_id }))} />
      );
    case "priority":
      return (
        <PriorityPicker
          {...shared}
          value={same("priority")}
          onChange={(priority) => set(() => ({ priority }))}
        />
      );
    case "type":
      return <TypePicker {...shared} value={same("type")} onChange={(type) => set(() => ({ type }))} />;
    case "assignee":
      return (
        <AssigneePicker
          {...shared}
          value={same("assignee_id")}
          onChange={(assignee_id) => set(() => ({ assignee_id }))}
        />
      );
    case "epic":
      return (
        <EpicPicker {...shared} value={same("epic_id")} onChange={(epic_id) => set(() => ({ epic_id }))} />
      );
    case "sprint":
      return (
        <SprintPicker
          {...shared}
          value={same("sprint_id")}
          onChange={(sprint_id) => set(() => ({ sprint_id }))}
        />
      );
    case "label":
      return <LabelQuickPick {...shared} issues={issues} onChange={onChange} />;
  }
}

/** Makes an element elsewhere on the page the anchor of the picker. */
function Anchor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref === "function") ref(element);
  }, [element, ref]);
  return null;
}
