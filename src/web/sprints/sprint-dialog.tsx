import { type SubmitEvent, use, useId, useState } from "react";
import type { Sprint } from "../../shared/sprints.ts";
import { ApiError, messageOf } from "../api/client.ts";
import { addDays, todayIn } from "../kit/days.ts";
import { changesOf, isChanged, orNull } from "../forms/changes-of.ts";
import { Button } from "../kit/button.tsx";
import { DateInput } from "../kit/date-input.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { Textarea } from "../kit/textarea.tsx";
import { TimeZoneContext } from "../kit/time.tsx";
import { useCreateSprint, useSprints, useUpdateSprint } from "../data/sprints.ts";
import { nameAfter } from "./sprint-sums.ts";

const PLACED = ["name", "goal", "starts_on", "ends_on"];
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
  const timeZone = use(TimeZoneContext);
  const [proposed] = useState(() => propose(sprint, start, todayIn(timeZone, Date.now())));
  const [name, setName] = useState(sprint?.name ?? nameAfter(sprints));
  const [goal, setGoal] = useState(sprint?.goal ?? "");
  const [startsOn, setStartsOn] = useState(proposed.startsOn);
  const [endsOn, setEndsOn] = useState(proposed.endsOn);
  const fields = { name, goal: orNull(goal), starts_on: startsOn, ends_on: endsOn };
  // Proposed dates do not count as edits, but are sent.
  const [before] = useState(fields);
  const [saved] = useState({
    ...fields,
    starts_on: sprint?.starts_on ?? null,
    ends_on: sprint?.ends_on ?? null,
  });
  const dirty = isChanged(before, fields);
  const create = useCreateSprint(projectId);
  const update = useUpdateSprint(projectId);
  const { error, isPending } = sprint ? update : create;
  const refused = error instanceof ApiError ? error : undefined;
  const others = sprints.filter(({ id, state }) => state === "active" && id !== sprint?.id);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    if (sprint && !start && !dirty) return onClose();
    const done = {
      onSuccess: (answer: Sprint) => {
        onClose();
        onSaved?.(answer);
      },
    };
    if (!sprint) return create.mutate(fields, done);
    const changes = changesOf(saved, fields);
    update.mutate({ id: sprint.id, changes: start ? { ...changes, state: "active" } : changes }, done);
  };
  const verb = start ? "Start sprint" : sprint ? "Save" : "Create sprint";
  return (
    <Dialog
      open
      onClose={onClose}
      dirty={dirty}
      title={start ? `Start ${sprint?.name ?? "sprint"}` : sprint ? "Edit sprint" : "New sprint"}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={isPending}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        <FormError>{error && !PLACED.some((field) => refused?.of(field)) && messageOf(error)}</FormError>
        {start && others.length > 0 && (
          <p className="rounded-md bg-warn-tint px-3 py-2 text-warn">
            {others.map((other) => other.name).join(", ")} {others.length === 1 ? "is" : "are"} also active.
          </p>
        )}
        <Field label="Name" error={refused?.of("name")}>
          <Input
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
            maxLength={100}
            autoComplete="off"
          />
        </Field>
        <Field label="Goal" optional error={refused?.of("goal")}>
          <Textarea value={goal} onChange={(event) => setGoal(event.target.value)} rows={3} />
        </Field>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Starts on" optional={!start} error={refused?.of("starts_on")}>
            <DateInput value={startsOn} onChange={setStartsOn} required={start} />
          </Field>
          <Field label="Ends on" optional={!start} error={refused?.of("ends_on")}>
            <DateInput
              value={endsOn}
              onChange={setEndsOn}
              required={start}
              {...(startsOn ? { min: startsOn } : {})}
            />
          </Field>
        </div>
      </form>
    </Dialog>
  );
}

/** The dates of the sprint. One that is started without dates gets two weeks from today. */
function propose(sprint: Sprint | undefined, start: boolean, today: string) {
  const startsOn = sprint?.starts_on ?? (start ? today : null);
  const endsOn = sprint?.ends_on ?? (start && startsOn ? addDays(startsOn, DEFAULT_DAYS - 1) : null);
  return { startsOn, endsOn };
}
