import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Person } from "../../shared/answers.ts";
import { allPages } from "../api/all-pages.ts";
import { nameOfPerson } from "../kit/initials.ts";

/** Everyone who can access the project, for pickers, mentions and names. */
export const peopleQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["people", projectId],
    queryFn: ({ signal }) => allPages<Person>(`/api/projects/${projectId}/people`, 1_000, signal),
    staleTime: 5 * 60_000,
  });

export type People = { all: Person[]; of: (id: number | null | undefined) => Person | undefined };

export function usePeople(projectId: number): People {
  const { data } = useQuery(peopleQuery(projectId));
  return useMemo(() => {
    const byId = new Map(data?.map((person) => [person.user_id, person]));
    return { all: data ?? [], of: (id) => (id === null || id === undefined ? undefined : byId.get(id)) };
  }, [data]);
}

/** "Ada Moss"; "Someone" for a person who was deleted or cannot be seen. */
export const nameOf = (person: { first_name: string; last_name: string } | null | undefined): string =>
  person ? nameOfPerson(person) : "Someone";
