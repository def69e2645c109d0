import { MousePointerClick } from "lucide-react";
import { EmptyState } from "../kit/empty-state.tsx";
import { Kbd } from "../kit/kbd.tsx";

/** Shown beside the queue while no report is open. */
export function NoReportOpen() {
  return (
    <EmptyState
      icon={MousePointerClick}
      title="No report open"
      text={
        <>
          Press <Kbd keys="j" /> or <Kbd keys="k" /> to move, <Kbd keys="Enter" /> to open a report.
        </>
      }
    />
  );
}
