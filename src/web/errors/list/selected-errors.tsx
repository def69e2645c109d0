import { Combine, UserRound } from "lucide-react";
import { use, useState } from "react";
import type { ErrorGroupListItem, ErrorGroupStatus } from "../../../shared/error-groups.ts";
import { usePaletteCommand } from "../../keys/commands.ts";
import { Button } from "../../kit/button.tsx";
import { lazyPart } from "../../kit/lazy-part.tsx";
import { LazyPopup } from "../../kit/lazy-popup.tsx";
import { TimeZoneContext, useNow } from "../../kit/dates/time.tsx";
import { SelectionBar } from "../../lists/selection-bar.tsx";
import { STATUS_ICONS } from "../status/group-entries.ts";
import { SplitButton } from "../status/split-button.tsx";
import { IGNORED, OPEN, RESOLVED, type StatusChange } from "../../data/errors/group-status.ts";
import { releaseEntries, snoozeEntries, type StatusQuestion } from "../status/status-entries.ts";
import { canAnyBecome, canMerge, type MayUpdate } from "./error-commands.ts";
import { isOneProject } from "../status/use-assign.tsx";

const MergeDialog = lazyPart(async () => (await import("../grouping/merge-dialog.tsx")).MergeDialog);

type Props = {
  selected: readonly ErrorGroupListItem[];
  mayUpdate: MayUpdate;
  onChange: (to: StatusChange) => void;
  onAsk: (question: StatusQuestion) => void;
  onAssign: (anchor: HTMLElement) => void;
  onClear: () => void;
};

/** The actions for the selected errors. */
export function SelectedErrors({ selected, mayUpdate, onChange, onAsk, onAssign, onClear }: Props) {
  const timeZone = use(TimeZoneContext);
  const now = useNow();
  const [isMerging, setMerging] = useState(false);
  const mayMerge = canMerge(selected, mayUpdate);
  usePaletteCommand("merge", `Merge ${selected.length} errors`, () => setMerging(true), mayMerge);
  const may = (status: ErrorGroupStatus) => canAnyBecome(selected, status);
  return (
    <>
      <SelectionBar count={selected.length} noun="error" onClear={onClear}>
        <SplitButton
          size="sm"
          icon={STATUS_ICONS[RESOLVED]}
          shortcut="e"
          onClick={may(RESOLVED) ? () => onChange({ status: RESOLVED }) : undefined}
          more="Fixed in"
          items={() => releaseEntries({ onChange, onAsk })}
        >
          Resolve
        </SplitButton>
        <SplitButton
          size="sm"
          icon={STATUS_ICONS[IGNORED]}
          shortcut="h"
          onClick={may(IGNORED) ? () => onChange({ status: IGNORED }) : undefined}
          more="Snooze"
          items={() => snoozeEntries({ isSnoozed: false, now: new Date(now), timeZone, onChange, onAsk })}
        >
          Ignore
        </SplitButton>
        {may(OPEN) && (
          <Button size="sm" icon={STATUS_ICONS[OPEN]} shortcut="u" onClick={() => onChange({ status: OPEN })}>
            Reopen
          </Button>
        )}
        {mayMerge && (
          <Button size="sm" icon={Combine} onClick={() => setMerging(true)}>
            Merge…
          </Button>
        )}
        <Button
          size="sm"
          icon={UserRound}
          shortcut="a"
          disabled={!isOneProject(selected)}
          title={isOneProject(selected) ? undefined : "The selected errors belong to several projects"}
          onClick={(event) => onAssign(event.currentTarget)}
        >
          Assign
        </Button>
      </SelectionBar>
      {mayMerge && isMerging && (
        <LazyPopup open onCancel={() => setMerging(false)}>
          <MergeDialog open groups={selected} onClose={() => setMerging(false)} onMerged={onClear} />
        </LazyPopup>
      )}
    </>
  );
}
