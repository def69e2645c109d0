import { useQuery } from "@tanstack/react-query";
import type { Workspace } from "../../shared/workspaces.ts";
import { nameOf } from "../data/projects/people.ts";
import { workspaceMembersQuery } from "../data/projects/workspaces.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Combobox } from "../kit/combobox.tsx";
import { Field } from "../kit/field.tsx";
import { DayFilter } from "./day-filter.tsx";
import { KIND_GROUPS } from "./sentences.ts";

export type AuditSearch = {
  kind?: string | undefined;
  actor?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
};

type Props = { workspace: Workspace; search: AuditSearch; onChange: (changes: AuditSearch) => void };

export function AuditFilters({ workspace, search, onChange }: Props) {
  const people = useQuery(workspaceMembersQuery(workspace.id)).data ?? [];
  const known = KIND_GROUPS.some(({ kind }) => kind === search.kind);
  return (
    <search className="border-line grid grid-cols-2 gap-3 border-b p-3 lg:grid-cols-4">
      <Field label="What">
        <Combobox
          none="Everything"
          choices={[
            ...KIND_GROUPS.map(({ kind, label }) => ({ value: kind, label })),
            ...(search.kind && !known ? [{ value: search.kind, label: search.kind }] : []),
          ]}
          value={search.kind ?? null}
          onChange={(kind) => onChange({ kind: kind ?? "" })}
        />
      </Field>
      <Field label="Who">
        <Combobox
          none="Everyone"
          choices={people.map((person) => ({
            value: String(person.user_id),
            label: nameOf(person),
            hint: `@${person.username}`,
            icon: <Avatar person={person} />,
          }))}
          value={search.actor ?? null}
          onChange={(actor) => onChange({ actor: actor ?? "" })}
        />
      </Field>
      <Field label="From">
        <DayFilter value={search.since ?? ""} onChange={(since) => onChange({ since })} />
      </Field>
      <Field label="To">
        <DayFilter value={search.until ?? ""} onChange={(until) => onChange({ until })} />
      </Field>
    </search>
  );
}
