import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Epic } from "../../../shared/epics.ts";
import type { Label } from "../../../shared/labels.ts";
import type { Lane } from "../../../shared/lanes.ts";
import type { Sprint } from "../../../shared/sprints.ts";
import { useEpics } from "./epics.ts";
import { useLabels } from "./labels.ts";
import { lanesQuery, useLanes } from "./lanes.ts";
import { type KnownPerson, nameOf, usePeople } from "./people.ts";
import { can, useProjects } from "./projects.ts";
import { useProfile } from "../account/session.ts";
import { useSprints } from "./sprints.ts";
import { PRIORITY_WORDS } from "../../marks/priority-mark.tsx";

/** What the ids in issues refer to, each list in the order in which groups are shown. */
export type IssueReferences = {
  lanes: readonly Lane[];
  labels: readonly Label[];
  epics: readonly Epic[];
  sprints: readonly Sprint[];
  people: readonly { id: number; name: string }[];
  projects: readonly { id: number; name: string }[];
  priorities: readonly string[];
};

/** `IssueReferences`, with functions that look up an entry by id. */
export type IssueNames = IssueReferences & {
  lane: (id: number) => Lane | undefined;
  label: (id: number) => Label | undefined;
  person: (id: number | null) => KnownPerson | undefined;
  epicTitle: (id: number | null) => string | undefined;
  sprintName: (id: number | null) => string | undefined;
};

export function useIssueNames(projectId: number): IssueNames {
  const projects = useProjects();
  const project = projects.find(({ id }) => id === projectId);
  const lanes = useLanes(projectId);
  const labels = useLabels(projectId);
  const epics = useEpics(projectId, project !== undefined && can(project, "epics:read"));
  const sprints = useSprints(projectId);
  const people = usePeople(projectId);
  const me = useProfile().id;
  return useMemo(
    () =>
      withLookups({
        lanes,
        labels,
        epics,
        sprints,
        people: [
          ...people.all.toSorted((a, b) => Number(b.user_id === me) - Number(a.user_id === me)),
          ...people.former,
        ].map((person) => ({ id: person.user_id, name: nameOf(person) })),
        projects,
        priorities: PRIORITY_WORDS,
        person: people.of,
      }),
    [lanes, labels, epics, sprints, people, projects, me],
  );
}

/** `useIssueNames` for a list across projects, with only the fields that such a list needs. */
export function useIssueNamesOf(projectIds: readonly number[]): IssueNames {
  const projects = useProjects();
  const lanes = useQueries({
    queries: projectIds.map((id) => lanesQuery(id)),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  return useMemo(
    () =>
      withLookups({
        lanes,
        labels: [],
        epics: [],
        sprints: [],
        people: [],
        projects,
        priorities: PRIORITY_WORDS,
        person: () => undefined,
      }),
    [lanes, projects],
  );
}

function withLookups(references: IssueReferences & Pick<IssueNames, "person">): IssueNames {
  const lanes = new Map(references.lanes.map((lane) => [lane.id, lane]));
  const labels = new Map(references.labels.map((label) => [label.id, label]));
  const epics = new Map(references.epics.map((epic) => [epic.id, epic.title]));
  const sprints = new Map(references.sprints.map((sprint) => [sprint.id, sprint.name]));
  return {
    ...references,
    lane: (id) => lanes.get(id),
    label: (id) => labels.get(id),
    epicTitle: (id) => (id === null ? undefined : epics.get(id)),
    sprintName: (id) => (id === null ? undefined : sprints.get(id)),
  };
}
