import { type ReactElement, useEffect, useRef } from "react";
import { useCreateLabel } from "../data/projects/create-label.ts";
import { useEpics } from "../data/projects/epics.ts";
import { useLabels } from "../data/projects/labels.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { useSprints } from "../data/projects/sprints.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Combobox, MultiCombobox } from "../kit/combobox.tsx";
import { PRIORITY_WORDS } from "../marks/priority-mark.tsx";
import { TYPE_WORDS } from "../marks/type-mark.tsx";
import { LaneIcon, LabelDot, PriorityIcon, TypeIcon } from "./option-icons.tsx";

type Shared = {
  projectId: number;
  /** Opens the picker, instead of a field. Must accept a ref and `onClick`. */
  trigger?: ReactElement<Record<string, unknown>> | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  disabled?: boolean | undefined;
};

/** undefined if the issues have different values. */
type Required<V extends number> = Shared & { value: V | null | undefined; onChange: (value: V) => void };
type Clearable = Shared & { value: number | null | undefined; onChange: (value: number | null) => void };

/** The lane of an issue. */
export function LanePicker({ projectId, onChange, ...rest }: Required<number>) {
  const choices = useLanes(projectId).map(({ id, name, kind }) => ({
    value: id,
    label: name,
    icon: <LaneIcon kind={kind} />,
  }));
  return (
    <Combobox
      {...optional(rest)}
      value={rest.value}
      label="Lane"
      choices={choices}
      onChange={(id) => id !== null && onChange(id)}
    />
  );
}

/** 0 (highest) to 4 (lowest). */
export function PriorityPicker({ onChange, ...rest }: Required<number>) {
  const choices = PRIORITY_WORDS.map((label, value) => ({
    value,
    label,
    icon: <PriorityIcon priority={value} />,
  }));
  return (
    <Combobox
      {...optional(rest)}
      value={rest.value}
      label="Priority"
      choices={choices}
      onChange={(priority) => priority !== null && onChange(priority)}
    />
  );
}

/** 0 is a feature, 1 a bug. */
export function TypePicker({ onChange, ...rest }: Required<0 | 1>) {
  const choices = ([0, 1] as const).map((value) => ({
    value,
    label: TYPE_WORDS[value],
    icon: <TypeIcon type={value} />,
  }));
  return (
    <Combobox
      {...optional(rest)}
      value={rest.value}
      label="Type"
      choices={choices}
      onChange={(type) => type !== null && onChange(type)}
    />
  );
}

/** Someone with access to the project; the user comes first. A current assignee without access stays until replaced. */
export function AssigneePicker({ projectId, value, onChange, ...rest }: Clearable) {
  const me = useProfile().id;
  const people = usePeople(projectId);
  const current = people.of(value);
  const choices = [
    ...people.all.toSorted((a, b) => Number(b.user_id === me) - Number(a.user_id === me)),
    ...(current?.isFormer ? [current] : []),
  ].map((person) => ({
    value: person.user_id,
    label: nameOf(person),
    hint:
      person.user_id === me
        ? `${person.username} · you`
        : person === current && current.isFormer
          ? `${person.username} · no access`
          : person.username,
    icon: <Avatar person={person} size={16} />,
  }));
  return (
    <Combobox
      {...optional(rest)}
      label="Assignee"
      none="Nobody"
      value={value}
      onChange={onChange}
      choices={choices}
    />
  );
}

/** The labels of an issue. Calls `onChange` after each choice. Who may manage labels can create one. */
export function LabelPicker({
  projectId,
  value,
  onChange,
  ...rest
}: Shared & { value: readonly number[]; onChange: (value: number[]) => void }) {
  const project = useProjects().find(({ id }) => id === projectId);
  const create = useCreateLabel(projectId);
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });
  // The picker may have been closed by the time the label exists.
  const onCreate = (name: string) =>
    create.mutateAsync(name).then(
      ({ id }) => latest.current.onChange([...latest.current.value, id]),
      // The mutation has shown the error.
      () => {},
    );
  const choices = useLabels(projectId).map(({ id, name, color }) => ({
    value: id,
    label: name,
    icon: <LabelDot color={color} />,
  }));
  return (
    <MultiCombobox
      {...optional(rest)}
      label="Labels"
      placeholder="No labels"
      {...(project && can(project, "project:update") ? { onCreate: (name) => void onCreate(name) } : {})}
      value={value}
      onChange={onChange}
      choices={choices}
    />
  );
}

/** An open epic, or the current one. Empty without permission to read epics. */
export function EpicPicker({ projectId, value, onChange, ...rest }: Clearable) {
  const project = useProjects().find(({ id }) => id === projectId);
  const epics = useEpics(projectId, project !== undefined && can(project, "epics:read"));
  const choices = epics
    .filter(({ id, state }) => state === "open" || id === value)
    .map(({ id, title, state }) => ({
      value: id,
      label: title,
      hint: state === "done" ? "done" : undefined,
    }));
  return (
    <Combobox
      {...optional(rest)}
      label="Epic"
      none="No epic"
      value={value}
      onChange={onChange}
      choices={choices}
    />
  );
}

/** A sprint that is not closed, or the current one. The active one comes first. */
export function SprintPicker({ projectId, value, onChange, ...rest }: Clearable) {
  const choices = useSprints(projectId)
    .filter(({ id, state }) => state !== "closed" || id === value)
    .toSorted((a, b) => Number(b.state === "active") - Number(a.state === "active"))
    .map(({ id, name, state }) => ({ value: id, label: name, hint: state }));
  return (
    <Combobox
      {...optional(rest)}
      label="Sprint"
      none="No sprint"
      value={value}
      onChange={onChange}
      choices={choices}
    />
  );
}

/** The optional properties that are set. */
function optional({ trigger, open, onOpenChange, disabled }: Omit<Shared, "projectId">) {
  return {
    ...(trigger === undefined ? {} : { trigger }),
    ...(open === undefined ? {} : { open }),
    ...(onOpenChange === undefined ? {} : { onOpenChange }),
    ...(disabled === undefined ? {} : { disabled }),
  };
}
