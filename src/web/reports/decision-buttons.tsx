import { ArrowUpRight, EyeOff } from "lucide-react";
import type { Report } from "../../shared/reports.ts";
import { Button } from "../kit/button.tsx";
import type { ReportActions } from "./report-menu.ts";
import type { ReportDialogs } from "./use-report-dialogs.tsx";

/** Dismiss and promote, for an active report. */
export function DecisionButtons({
  report,
  actions,
  dialogs,
}: {
  report: Report;
  actions: ReportActions;
  dialogs: ReportDialogs;
}) {
  if (!actions.decide) return null;
  return (
    <>
      <Button icon={EyeOff} shortcut="h" onClick={() => dialogs.dismiss([report])}>
        Dismiss
      </Button>
      <Button variant="primary" icon={ArrowUpRight} shortcut="e" onClick={() => dialogs.promote([report])}>
        Promote
      </Button>
    </>
  );
}
