import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { DismissReason, Report } from "../../shared/reports.ts";
import { Button } from "../kit/button.tsx";
import { countCodePoints } from "../kit/code-points.ts";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { LeaveQuestion } from "../page/leave-question.tsx";
import { RadioGroup } from "../kit/radio-group.tsx";
import { Textarea } from "../kit/textarea.tsx";
import { dismissReports } from "../data/reports/dismiss-reports.ts";
import { OriginalPicker, type PickedOriginal } from "./original-picker.tsx";
import { DISMISS_REASONS } from "../data/reports/dismiss-reasons.ts";

const MAX_NOTE_LENGTH = 10_000;
const OPTIONS = DISMISS_REASONS.map((reason, index) => ({ ...reason, shortcut: String(index + 1) }));

type Props = { project: Project; reports: readonly Report[]; onClose: () => void; onDismissed: () => void };

/**
 * Asks why reports are dismissed, and dismisses them. Keys 1 to 4 dismiss immediately, because it can be undone; only the
 * key of Duplicate first asks for the original, and dismisses when it is pressed again.
 */
export function DismissDialog({ project, reports, onClose, onDismissed }: Props) {
  const dismissal = useDismissal(reports, onDismissed);
  const { category, note, original } = dismissal;

  return (
    <Dialog
      open
      onClose={onClose}
      title={reports.length === 1 ? "Dismiss report" : `Dismiss ${reports.length} reports`}
      description={<span className="line-clamp-2">{reports.map(({ title }) => title).join(" · ")}</span>}
      dirty={note !== ""}
      footer={<Footer />}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the digits work anywhere in the form */}
      <form
        id="dismiss-report"
        className="flex flex-col gap-4"
        onKeyDown={dismissal.onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          dismissal.finish(category);
        }}
      >
        <RadioGroup
          label="Reason"
          options={OPTIONS}
          value={category}
          onChange={dismissal.choose}
          error={dismissal.missing && category === null ? "Choose a reason." : undefined}
        />
        {category === "duplicate" && (
          <Field label="Duplicate of" optional hint="A report or an issue of this project.">
            <OriginalPicker
              project={project}
              duplicates={reports}
              value={original}
              onChange={dismissal.setOriginal}
              open={dismissal.picking}
              onOpenChange={dismissal.setPicking}
            />
          </Field>
        )}
        <Field
          label="Note"
          optional
          hint={`Shown with the dismissed ${reports.length === 1 ? "report" : "reports"}.`}
          error={dismissal.tooLong ? "At most 10,000 characters." : undefined}
        >
          <Textarea rows={2} value={note} onChange={(event) => dismissal.setNote(event.target.value)} />
        </Field>
      </form>
      <LeaveQuestion inDialog dirty={note !== ""} />
    </Dialog>
  );
}

function Footer() {
  return (
    <>
      <p className="me-auto text-sm text-text-3 pointer-coarse:hidden">
        Press 1, 3 or 4 to dismiss immediately.
      </p>
      <CancelButton />
      <Button variant="primary" type="submit" form="dismiss-report" shortcut="mod+Enter">
        Dismiss
      </Button>
    </>
  );
}

/** The reason, note and original that are entered, and the keys that dismiss. */
function useDismissal(reports: readonly Report[], onDismissed: () => void) {
  const client = useQueryClient();
  const [category, setCategory] = useState<DismissReason | null>(null);
  const [note, setNote] = useState("");
  const [original, setOriginal] = useState<PickedOriginal | null>(null);
  const [picking, setPicking] = useState(false);
  const [missing, setMissing] = useState(false);
  const tooLong = countCodePoints(note) > MAX_NOTE_LENGTH;

  const choose = (reason: DismissReason) => {
    setCategory(reason);
    setMissing(false);
  };
  const finish = (reason: DismissReason | null) => {
    if (reason === null) return setMissing(true);
    if (tooLong) return;
    dismissReports(client, reports, {
      category: reason,
      note: note.trim() === "" ? undefined : note,
      duplicateOf: reason === "duplicate" ? (original ?? undefined) : undefined,
    });
    onDismissed();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Keys of the picker arrive here, too, because React passes them on from its popup.
    if (!event.currentTarget.contains(event.target as Element)) return;
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const reason = DISMISS_REASONS[Number(event.key) - 1];
    if (reason === undefined) return;
    event.preventDefault();
    if (event.repeat) return;
    if (reason.value !== "duplicate" || category === "duplicate") return finish(reason.value);
    choose("duplicate");
    setPicking(true);
  };
  return {
    category,
    choose,
    note,
    setNote,
    tooLong,
    original,
    setOriginal,
    picking,
    setPicking,
    missing,
    finish,
    onKeyDown,
  };
}
