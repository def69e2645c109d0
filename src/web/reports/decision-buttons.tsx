import { ArrowUpRight, EyeOff } from "lucide-react";
import type { Report } from "../../shared/reports.ts";
import { Button } from "../kit/button.tsx";
import type { Verbs } from "./report-menu.ts";
import type { ReportDialogs } from "./use-report-dialogs.tsx";

/** The two answers to a report that waits. */
export function DecisionButtons({
  report,
  verbs,
  dialogs,
}: {
  report: Report;
  verbs: Verbs;
  dialogs: ReportDialogs;
}) {
  if (!verbs.deal) return null;
  return (
    <>
      <Button icon={EyeOff} shortcut="h" onClick={() => dialogs.dismiss(report)}>
        Dismiss
      </Button>
      <Button variant="primary" icon={ArrowUpRight} shortcut="e" onClick={() => dialogs.promote([report])}>
        Promote
      </Button>
    </>
  );
}
