import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Person } from "../../../shared/answers.ts";
import { allPages } from "../../api/all-pages.ts";
import { nameOfPerson } from "../../kit/initials.ts";
import { store, useStore } from "../../state/store.ts";

/** Everyone who can access the project, for pickers, mentions and names. */
export const peopleQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["people", projectId],
    queryFn: ({ signal }) => allPages<Person>(`/api/projects/${projectId}/people`, 1_000, signal),
    staleTime: 5 * 60_000,
  });

/** People who can no longer access the project, but whose names appear in it. */
const formerPeopleQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["people", projectId, "former"],
    queryFn: ({ signal }) => allPages<Person>(`/api/projects/${projectId}/people?former=true`, 1_000, signal),
    staleTime: 5 * 60_000,
  });

/** The projects on screen that name somebody without access. Most never do, so former people are read only for these. */
const projectsWithFormer = store<ReadonlySet<number>>(new Set());

/** Requests the former people. Deferred, because names are looked up while components render. */
function readFormer(projectId: number): void {
  if (projectsWithFormer.get().has(projectId)) return;
  queueMicrotask(() => projectsWithFormer.set(new Set([...projectsWithFormer.get(), projectId])));
}

export type KnownPerson = Person & { isFormer: boolean };

export type People = {
  /** People with access, who can be assigned and mentioned. */
  all: Person[];
  /** People who have lost access; empty until one of them is looked up. */
  former: Person[];
  of: (id: number | null | undefined) => KnownPerson | undefined;
};

/** The people of a project; nobody for null. */
export function usePeople(project: number | null): People {
  const projectId = project ?? 0;
  const { data } = useQuery({ ...peopleQuery(projectId), enabled: project !== null });
  const showsFormer = useStore(projectsWithFormer).has(projectId);
  const { data: former } = useQuery({ ...formerPeopleQuery(projectId), enabled: showsFormer });
  return useMemo(() => {
    const known = (isFormer: boolean) => (person: Person) =>
      [person.user_id, { ...person, isFormer }] as const;
    const byId = new Map([...(former ?? []).map(known(true)), ...(data ?? []).map(known(false))]);
    const of = (id: number | null | undefined) => {
      if (id === null || id === undefined) return undefined;
      const person = byId.get(id);
      if (person === undefined && data !== undefined) readFormer(projectId);
      return person;
    };
    return { all: data ?? [], former: former ?? [], of };
  }, [projectId, data, former]);
}

/** "Ada Moss"; "Someone" for a person who was deleted or cannot be seen. */
export const nameOf = (person: { first_name: string; last_name: string } | null | undefined): string =>
  person ? nameOfPerson(person) : "Someone";
