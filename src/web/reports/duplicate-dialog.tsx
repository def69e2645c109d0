import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, type SubmitEvent, useEffect, useRef, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import type { SimilarItem } from "../../shared/similar.ts";
import { dismissReports } from "../data/reports/dismiss-reports.ts";
import { Button } from "../kit/button.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { RadioGroup } from "../kit/radio-group.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { nameOfSimilar, stateOfSimilar } from "../similar/similar-words.ts";
import { OriginalPicker, type PickedOriginal } from "./original-picker.tsx";
import { useOriginals } from "./use-originals.ts";

type Props = {
  project: Project;
  /** At least one. */
  reports: readonly Report[];
  onClose: () => void;
  onDismissed: () => void;
};

const FORM = "mark-duplicate";
const OTHER = "other";

/**
 * Dismisses reports as duplicates of a similar report or issue, or of one that is searched for. A digit chooses and dismisses
 * immediately, because that can be undone.
 */
export function DuplicateDialog({ project, reports, onClose, onDismissed }: Props) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={reports.length === 1 ? "Mark as duplicate" : `Mark ${reports.length} reports as duplicates`}
      description={<span className="line-clamp-2">{reports.map(({ title }) => title).join(" · ")}</span>}
      footer={
        <>
          <CancelButton />
          <Button variant="primary" type="submit" form={FORM} shortcut="mod+Enter">
            Mark as duplicate
          </Button>
        </>
      }
    >
      <OriginalForm project={project} reports={reports} onDismissed={onDismissed} />
    </Dialog>
  );
}

function OriginalForm({ project, reports, onDismissed }: Omit<Props, "onClose">) {
  const { items, isLoading } = useOriginals(project, reports);
  const client = useQueryClient();
  const [choice, setChoice] = useState<string>();
  const [other, setOther] = useState<PickedOriginal | null>(null);
  const [picking, setPicking] = useState(false);
  const [missing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const chosen = choice ?? (items[0] === undefined ? OTHER : keyOf(items[0]));
  useFocusWhenLoaded(form, isLoading);

  const finish = (original: PickedOriginal | null) => {
    if (original === null) return setMissing(true);
    dismissReports(client, reports, { category: "duplicate", note: undefined, duplicateOf: original });
    onDismissed();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const item = items.find((one) => keyOf(one) === chosen);
    finish(item === undefined ? other : originalOf(item));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const index = indexOf(event);
    const item = items[index];
    if (item === undefined && index !== items.length) return;
    event.preventDefault();
    if (item !== undefined) return finish(originalOf(item));
    setChoice(OTHER);
    setPicking(true);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the digits work anywhere in the form
    <form ref={form} id={FORM} className="flex flex-col gap-4" onKeyDown={onKeyDown} onSubmit={submit}>
      {isLoading && <Skeleton rows={3} lines={2} label="Loading similar reports and issues" />}
      {items.length > 0 && (
        <RadioGroup label="Duplicate of" options={optionsOf(items)} value={chosen} onChange={setChoice} />
      )}
      {!isLoading && chosen === OTHER && (
        <Field
          label={items.length > 0 ? "Report or issue" : "Duplicate of"}
          hint="A report or an issue of this project."
          error={missing && other === null ? "Choose a report or an issue." : undefined}
        >
          <OriginalPicker
            project={project}
            duplicates={reports}
            value={other}
            onChange={setOther}
            open={picking}
            onOpenChange={setPicking}
          />
        </Field>
      )}
    </form>
  );
}

/** The choices appear after the dialog. */
function useFocusWhenLoaded(form: RefObject<HTMLFormElement | null>, isLoading: boolean) {
  useEffect(() => {
    if (!isLoading) form.current?.querySelector<HTMLElement>("input:checked, button")?.focus();
  }, [form, isLoading]);
}

/** The index of the choice that a digit names. */
function indexOf(event: KeyboardEvent<HTMLElement>): number {
  // Keys of the picker arrive here, too, because React passes them on from its popup.
  const isOfPicker = !event.currentTarget.contains(event.target as Element);
  if (isOfPicker || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return -1;
  return Number(event.key) - 1;
}

const optionsOf = (items: readonly SimilarItem[]) =>
  [
    ...items.map((item) => ({ value: keyOf(item), label: nameOfSimilar(item), hint: stateOfSimilar(item) })),
    { value: OTHER, label: "Another report or issue" },
  ].map((option, index) => ({ ...option, shortcut: String(index + 1) }));

const keyOf = ({ kind, id }: SimilarItem): string => `${kind}:${id}`;

const originalOf = ({ kind, id }: SimilarItem): PickedOriginal =>
  kind === "issue" ? { issue_id: id } : { report_id: id };
