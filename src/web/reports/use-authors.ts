import { useCallback } from "react";
import type { Report } from "../../shared/reports.ts";
import { nameOf, type Person, usePeople } from "../data/people.ts";

export type Author = {
  /** As it is read: the name an outside system gave, else that of the member. */
  name: string;
  /** The member who created it; their picture stands beside the name. */
  person: Person | undefined;
  /** It came by the API of a project token. */
  outside: boolean;
};

/** `source` of a report that a project token sent (service.md 2.1). */
const API: Report["source"] = 1;

/** Who a report is from. */
export function useAuthors(projectId: number): (report: Report) => Author {
  const people = usePeople(projectId);
  return useCallback(
    ({ author_name, created_by, source }: Report) => {
      const person = people.of(created_by);
      const outside = source === API;
      if (author_name !== null) return { name: author_name, person: undefined, outside };
      return { name: outside ? "An outside system" : nameOf(person), person, outside };
    },
    [people],
  );
}
