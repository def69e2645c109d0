import { useMemo } from "react";
import type { Report } from "../../shared/reports.ts";
import type { Person } from "../../shared/answers.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";

export type Author = {
  /** The name that an outside system sent, else that of the member. */
  name: string;
  /** The member who created it, for the picture. */
  person: Person | undefined;
  /** Sent with a project token. */
  outside: boolean;
};

/** The `source` of reports sent with a project token. */
const API: Report["source"] = 1;

/** Returns the author of a report: the same object for the same report, so that its row need not render again. */
export function useAuthors(projectId: number): (report: Report) => Author {
  const people = usePeople(projectId);
  return useMemo(() => findAuthors(people.of), [people]);
}

function findAuthors(personOf: ReturnType<typeof usePeople>["of"]) {
  const known = new WeakMap<Report, Author>();
  const find = ({ author_name, created_by, source }: Report): Author => {
    const person = personOf(created_by);
    const outside = source === API;
    if (author_name !== null) return { name: author_name, person: undefined, outside };
    return { name: outside ? "External system" : nameOf(person), person, outside };
  };
  return (report: Report): Author => {
    const author = known.get(report) ?? find(report);
    known.set(report, author);
    return author;
  };
}
