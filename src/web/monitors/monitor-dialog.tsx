import { use, useState } from "react";
import type { Monitor } from "../../shared/monitors.ts";
import type { Project } from "../../shared/projects.ts";
import { changeMonitor, createMonitor, monitorKey } from "../data/monitors/monitors.ts";
import { changesOf, isChanged } from "../forms/changes-of.ts";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { NameField } from "../forms/name-field.tsx";
import { useSend } from "../forms/use-send.ts";
import { TimeZoneContext } from "../kit/dates/time.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";
import { bodyOf, draftOf, type MonitorDraft, scheduleOf } from "./monitor-draft.ts";
import { NextTimes } from "./next-times.tsx";
import { ScheduleFields } from "./schedule-fields.tsx";

type Props = {
  project: Project;
  /** The monitor to edit. Without one, a monitor is created. */
  monitor?: Monitor;
  onClose: () => void;
  onSaved?: (monitor: Monitor) => void;
};

const NUMBERS = [
  { field: "margin_minutes", label: "Missed after (minutes)", max: 10_080 },
  { field: "max_runtime_minutes", label: "Timed out after (minutes)", max: 43_200 },
  { field: "failure_threshold", label: "Failures until an error opens", max: 1_000 },
  { field: "recovery_threshold", label: "Successes until it is resolved", max: 1_000 },
] as const;

/** Errors of other fields, which may be hidden, also appear above the form. */
const FIELDS = ["name", "slug", "schedule.value", "timezone"];

/** Asks for a name and a schedule, and shows the times that follow from it. */
export function MonitorDialog({ project, monitor, onClose, onSaved }: Props) {
  const timeZone = use(TimeZoneContext);
  const [start] = useState(() => draftOf(monitor, timeZone));
  const [draft, setDraft] = useState(start);
  const save = useSend<void, Monitor>({
    send: () =>
      monitor
        ? changeMonitor(project.id, monitor.slug, changesTo(start, draft))
        : createMonitor(project.id, bodyOf(draft)),
    stale: [monitorKey(project.id), ...(monitor ? [] : [["counts", project.id]])],
    onDone: (saved) => {
      onClose();
      onSaved?.(saved);
    },
  });
  const change = (changes: Partial<MonitorDraft>) => {
    // The error is about what was sent.
    save.reset();
    setDraft({ ...draft, ...changes });
  };
  const dirty = isChanged(start, draft);
  return (
    <FormDialog
      title={monitor ? `Edit ${monitor.name}` : "New monitor"}
      description={
        monitor ? undefined : "Expects a job to run on a schedule, and opens an error if it fails."
      }
      submit={monitor ? "Save" : "Create monitor"}
      size="lg"
      busy={save.isPending}
      dirty={dirty}
      error={save.error}
      fields={FIELDS}
      onSubmit={() => (dirty || !monitor ? save.mutate() : onClose())}
      onClose={onClose}
    >
      <NameField
        value={draft.name}
        onChange={(name) => change({ name })}
        error={errorOf(save.error, "name") ?? (draft.slug === "" ? nameTaken(save.error) : undefined)}
      />
      <ScheduleFields draft={draft} change={change} error={save.error} />
      <NextTimes projectId={project.id} schedule={scheduleOf(draft)} timezone={draft.timezone} />
      <Disclosure title="More settings">
        <div className="flex flex-col gap-4 py-2">
          {!monitor && (
            <Field
              label="Slug"
              optional
              hint="Jobs name the monitor by it. It cannot be changed later. By default, it is made from the name."
              error={errorOf(save.error, "slug")}
            >
              <Input
                value={draft.slug}
                onChange={(event) => change({ slug: event.target.value })}
                maxLength={50}
                autoComplete="off"
                spellCheck={false}
                placeholder="nightly-backup"
              />
            </Field>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            {NUMBERS.map(({ field, label, max }) => (
              <Field key={field} label={label} error={errorOf(save.error, field)}>
                <Input
                  type="number"
                  min={field === "margin_minutes" ? 0 : 1}
                  max={max}
                  value={draft[field]}
                  onChange={(event) => change({ [field]: event.target.value })}
                  required
                />
              </Field>
            ))}
          </div>
        </div>
      </Disclosure>
    </FormDialog>
  );
}

/** The slug that was made from the name is taken. */
const nameTaken = (error: unknown) =>
  errorOf(error, "slug") && "There is already a monitor with this name. Choose another name or a slug.";

/** Concurrent changes of other fields are kept. */
function changesTo(start: MonitorDraft, draft: MonitorDraft) {
  const { slug: _slug, schedule, ...now } = bodyOf(draft);
  const { slug: _before, schedule: before, ...was } = bodyOf(start);
  const isSame = JSON.stringify(schedule) === JSON.stringify(before);
  return { ...changesOf(was, now), ...(isSame ? {} : { schedule }) };
}
