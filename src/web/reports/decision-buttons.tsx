import { ArrowUpRight, EyeOff, Undo2 } from "lucide-react";
import type { Report } from "../../shared/reports.ts";
import { Button } from "../kit/button.tsx";
import type { ReportActions } from "./report-menu.ts";
import type { ReportDialogs } from "./use-report-dialogs.tsx";

type Props = {
  report: Report;
  actions: ReportActions;
  dialogs: ReportDialogs;
  onPromote: () => void;
  onRestore: () => void;
  isPromoting?: boolean;
};

/** Dismiss and promote, for an active report; back to the queue, for any other one. */
export function DecisionButtons(props: Props) {
  const { report, actions, dialogs, onPromote, onRestore, isPromoting = false } = props;
  if (actions.restore !== undefined)
    return (
      <Button icon={Undo2} shortcut="u" onClick={onRestore}>
        {actions.restore}
      </Button>
    );
  if (!actions.decide) return null;
  return (
    <>
      <Button icon={EyeOff} shortcut="h" onClick={() => dialogs.dismiss([report])}>
        {/* A phone's header has no room for it. */}
        <span className="in-data-header-row:max-sm:sr-only">Dismiss</span>
      </Button>
      <Button variant="primary" icon={ArrowUpRight} shortcut="e" busy={isPromoting} onClick={onPromote}>
        Promote
      </Button>
    </>
  );
}
