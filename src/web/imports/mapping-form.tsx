import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CSV_FIELDS, type CsvField } from "../../shared/import-kinds.ts";
import type { Import } from "../../shared/imports.ts";
import type { Project } from "../../shared/projects.ts";
import { changeImport } from "../data/integrations/imports.ts";
import { peopleQuery } from "../data/projects/people.ts";
import { reasonOf } from "../forms/reason.ts";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { nameOfPerson } from "../kit/initials.ts";

const FIELD_NAMES: Readonly<Record<CsvField, string>> = {
  id: "Id",
  title: "Title",
  description: "Description",
  status: "Status",
  priority: "Priority",
  type: "Type",
  labels: "Labels",
  author: "Author",
  assignee: "Assignee",
  sprint: "Sprint",
  epic: "Epic",
  estimated_minutes: "Estimate in minutes",
  due_on: "Due date",
  created_at: "Created",
  updated_at: "Updated",
  closed_at: "Closed",
  url: "Link",
};

type Props = { project: Project; data: Import };

/** Which column of a CSV file is which field, and which member of the project is which person. Saving checks the file again. */
export function MappingForm({ project, data }: Props) {
  const [map, setMap] = useState(data.map);
  const [people, setPeople] = useState(data.people);
  const save = useSend({
    send: () => changeImport(project.id, data.id, { map, people }),
    stale: [["import", project.id]],
  });
  const names = [...new Set([...Object.keys(data.people), ...data.unmatched])];
  if (data.columns.length === 0 && names.length === 0) return null;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <FormError>{save.error && reasonOf(save.error)}</FormError>
      {data.columns.length > 0 && <Columns columns={data.columns} map={map} onChange={setMap} />}
      {names.length > 0 && (
        <PeopleFields project={project} names={names} people={people} onChange={setPeople} />
      )}
      <div>
        <Button type="submit" busy={save.isPending}>
          Check again
        </Button>
      </div>
    </form>
  );
}

type ColumnsProps = { columns: string[]; map: Import["map"]; onChange: (map: Import["map"]) => void };

function Columns({ columns, map, onChange }: ColumnsProps) {
  const choices = [...new Set(columns)].map((column) => ({ value: column, label: column }));
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-2 font-medium">Columns</legend>
      {CSV_FIELDS.map((field) => (
        <Field key={field} label={FIELD_NAMES[field]} required={field === "title"}>
          <Combobox
            choices={choices}
            value={map[field] || null}
            none="No column"
            onChange={(column) => onChange({ ...map, [field]: column ?? "" })}
          />
        </Field>
      ))}
    </fieldset>
  );
}

/** More would make a long form; the command takes a file for them. */
const MAX_NAMES = 50;

type PeopleProps = {
  project: Project;
  names: string[];
  people: Import["people"];
  onChange: (people: Import["people"]) => void;
};

function PeopleFields({ project, names, people, onChange }: PeopleProps) {
  const members = useQuery(peopleQuery(project.id)).data ?? [];
  const choices = members.map((person) => ({ value: person.user_id, label: nameOfPerson(person) }));
  const more = names.length - MAX_NAMES;
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-2 font-medium">People without an account</legend>
      {names.slice(0, MAX_NAMES).map((name) => (
        <Field key={name} label={name}>
          <Combobox
            choices={choices}
            value={people[name] ?? null}
            none="Keep as text"
            onChange={(id) => onChange(withPerson(people, name, id))}
          />
        </Field>
      ))}
      {more > 0 && <p className="text-text-3 text-sm">{`and ${more} more`}</p>}
    </fieldset>
  );
}

function withPerson(people: Import["people"], name: string, id: number | null): Import["people"] {
  const { [name]: _previous, ...others } = people;
  return id === null ? others : { ...others, [name]: id };
}
