import { type SubmitEvent, use, useId, useState } from "react";
import type { Sprint } from "../../shared/sprints.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { addDays, todayIn } from "../kit/dates/days.ts";
import { useProfile } from "../data/account/session.ts";
import { changesOf, orNull } from "../forms/changes-of.ts";
import { useFormDraft } from "../forms/use-form-draft.ts";
import { NameField } from "../forms/name-field.tsx";
import { Button } from "../kit/button.tsx";
import { EstimateInput } from "../marks/estimate-input.tsx";
import { ESTIMATE_ERROR, estimateText, parseEstimate } from "../marks/estimate.ts";
import { DateInput } from "../kit/dates/date-input.tsx";
import { CancelButton, Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { Textarea } from "../kit/textarea.tsx";
import { TimeZoneContext } from "../kit/dates/time.tsx";
import { useCreateSprint, useSprints, useUpdateSprint } from "../data/projects/sprints.ts";
import { nameAfter } from "./sprint-sums.ts";
import { useFocusInvalid } from "../kit/use-focus-invalid.ts";

const PLACED = ["name", "goal", "starts_on", "ends_on", "capacity_issues", "capacity_minutes"];
const DEFAULT_DAYS = 14;

type Props = {
  projectId: number;
  /** The sprint to edit; without it, a new one is created. */
  sprint?: Sprint;
  /** Whether saving also starts the sprint. Missing dates are then proposed. */
  start?: boolean;
  onClose: () => void;
  onSaved?: (sprint: Sprint) => void;
};

/** Creates, edits or starts a sprint. */
export function SprintDialog({ projectId, sprint, start = false, onClose, onSaved }: Props) {
  const formId = useId();
  const sprints = useSprints(projectId);
  const { draft, saved, body, minutes } = useSprintDraft(projectId, sprint, start);
  const { fields, change } = draft;
  const [isUnclear, setUnclear] = useState(false);
  const close = () => {
    draft.forget();
    onClose();
  };
  const create = useCreateSprint(projectId);
  const update = useUpdateSprint(projectId);
  const { error, isPending } = sprint ? update : create;
  const form = useFocusInvalid(error);
  const refused = error instanceof ApiError ? error : undefined;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    setUnclear(minutes === undefined);
    if (minutes === undefined) return;
    if (sprint && !start && !draft.isChanged) return close();
    const done = {
      onSuccess: (answer: Sprint) => {
        close();
        onSaved?.(answer);
      },
    };
    if (!sprint) return create.mutate(body, done);
    const changes = changesOf(saved, body);
    update.mutate({ id: sprint.id, changes: start ? { ...changes, state: "active" } : changes }, done);
  };
  return (
    <Dialog
      open
      onClose={close}
      dirty={draft.isChanged}
      description={draft.restored}
      title={start ? `Start ${sprint?.name ?? "sprint"}` : sprint ? "Edit sprint" : "New sprint"}
      footer={
        <Footer formId={formId} busy={isPending}>
          {start ? "Start sprint" : sprint ? "Save" : "Create sprint"}
        </Footer>
      }
    >
      <form ref={form} id={formId} onSubmit={submit} className="flex flex-col gap-3">
        <FormError>
          {error && !PLACED.some((field) => refused?.messageFor(field)) && messageOf(error)}
        </FormError>
        {start && <AlsoActive sprints={sprints.filter(({ id }) => id !== sprint?.id)} />}
        <NameField
          value={fields.name}
          onChange={(value) => change({ name: value })}
          error={refused?.messageFor("name")}
        />
        <Field label="Goal" optional error={refused?.messageFor("goal")}>
          <Textarea value={fields.goal} onChange={(event) => change({ goal: event.target.value })} rows={3} />
        </Field>
        <DatesAndCapacity
          fields={fields}
          change={change}
          start={start}
          errorOf={(field) =>
            field === "capacity_minutes" && isUnclear && minutes === undefined
              ? ESTIMATE_ERROR
              : refused?.messageFor(field)
          }
        />
      </form>
    </Dialog>
  );
}

function Footer({ formId, busy, children }: { formId: string; busy: boolean; children: string }) {
  return (
    <>
      <CancelButton />
      <Button type="submit" form={formId} variant="primary" busy={busy} shortcut="mod+Enter">
        {children}
      </Button>
    </>
  );
}

/** The draft of the form, what was saved before, and the body that the fields make; `minutes` is undefined if unclear. */
function useSprintDraft(projectId: number, sprint: Sprint | undefined, start: boolean) {
  const sprints = useSprints(projectId);
  const timeZone = use(TimeZoneContext);
  const [proposed] = useState(() => propose(sprint, start, todayIn(timeZone, Date.now())));
  const place = sprint ? `sprints:${sprint.id}${start ? ":start" : ""}` : `sprint:${projectId}`;
  const draft = useFormDraft(useProfile().id, place, {
    name: sprint?.name ?? nameAfter(sprints),
    goal: sprint?.goal ?? "",
    // Proposed dates do not count as edits, but are sent.
    starts_on: proposed.startsOn,
    ends_on: proposed.endsOn,
    capacity_issues: sprint?.capacity_issues ?? null,
    capacity: typeof sprint?.capacity_minutes === "number" ? estimateText(sprint.capacity_minutes) : "",
  });
  const { before, fields } = draft;
  const minutes = parseEstimate(fields.capacity);
  const { capacity: _text, ...sent } = fields;
  const body = { ...sent, goal: orNull(fields.goal), capacity_minutes: minutes ?? null };
  const [saved] = useState({
    name: before.name,
    goal: orNull(before.goal),
    starts_on: sprint?.starts_on ?? null,
    ends_on: sprint?.ends_on ?? null,
    capacity_issues: before.capacity_issues,
    capacity_minutes: sprint?.capacity_minutes ?? null,
  });
  return { draft, saved, body, minutes };
}

type SprintFields = ReturnType<typeof useSprintDraft>["draft"]["fields"];

type PartProps = {
  fields: SprintFields;
  change: (changes: Partial<SprintFields>) => void;
  start: boolean;
  errorOf: (field: string) => string | undefined;
};

function DatesAndCapacity({ fields, change, start, errorOf }: PartProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Starts on" optional={!start} error={errorOf("starts_on")}>
        <DateInput value={fields.starts_on} onChange={(day) => change({ starts_on: day })} required={start} />
      </Field>
      <Field label="Ends on" optional={!start} error={errorOf("ends_on")}>
        <DateInput
          value={fields.ends_on}
          onChange={(day) => change({ ends_on: day })}
          required={start}
          {...(fields.starts_on ? { min: fields.starts_on } : {})}
        />
      </Field>
      <Field
        label="Capacity in issues"
        optional
        hint="The planning page warns if more is planned."
        error={errorOf("capacity_issues")}
      >
        <Input
          type="number"
          inputMode="numeric"
          min={0}
          value={fields.capacity_issues ?? ""}
          onChange={({ target }) =>
            change({ capacity_issues: target.value === "" ? null : target.valueAsNumber })
          }
        />
      </Field>
      <Field label="Capacity in estimates" optional error={errorOf("capacity_minutes")}>
        <EstimateInput
          placeholder="80h"
          value={fields.capacity}
          onChange={(event) => change({ capacity: event.target.value })}
        />
      </Field>
    </div>
  );
}

function AlsoActive({ sprints }: { sprints: readonly Sprint[] }) {
  const active = sprints.filter(({ state }) => state === "active");
  if (active.length === 0) return null;
  return (
    <p className="rounded-md bg-warn-tint px-3 py-2 text-warn">
      {active.map(({ name }) => name).join(", ")} {active.length === 1 ? "is" : "are"} also active.
    </p>
  );
}

/** The dates of the sprint. One that is started without dates gets two weeks from today. */
function propose(sprint: Sprint | undefined, start: boolean, today: string) {
  const startsOn = sprint?.starts_on ?? (start ? today : null);
  const endsOn = sprint?.ends_on ?? (start && startsOn ? addDays(startsOn, DEFAULT_DAYS - 1) : null);
  return { startsOn, endsOn };
}
