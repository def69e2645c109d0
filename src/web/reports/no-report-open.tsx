import { MousePointerClick } from "lucide-react";
import { EmptyState } from "../kit/empty-state.tsx";
import { Kbd } from "../kit/kbd.tsx";

/** Beside a list of which nothing is open. */
export function NothingOpen() {
  return (
    <EmptyState
      icon={MousePointerClick}
      title="No report open"
      text={
        <>
          <Kbd keys="j" /> and <Kbd keys="k" /> go through the queue, <Kbd keys="Enter" /> opens a report.
        </>
      }
    />
  );
}
