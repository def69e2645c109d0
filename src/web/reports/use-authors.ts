import { useMemo } from "react";
import type { Report } from "../../shared/reports.ts";
import type { Person } from "../../shared/answers.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";

export type Author = {
  /** The name or address that was sent from outside, else the name of the member. */
  name: string;
  /** The member who created it, for the picture. */
  person: Person | undefined;
  /** "API" for a report sent with a project token, "Feedback" for one that a visitor wrote; undefined for a member's. */
  outside: "API" | "Feedback" | undefined;
};

/** The `source` of reports from outside. */
const API: Report["source"] = 1;

/** Returns the author of a report: the same object for the same report, so that its row need not render again. */
export function useAuthors(projectId: number): (report: Report) => Author {
  const people = usePeople(projectId);
  return useMemo(() => findAuthors(people.of), [people]);
}

function findAuthors(personOf: ReturnType<typeof usePeople>["of"]) {
  const known = new WeakMap<Report, Author>();
  const find = ({ author_name, author_email, origin, created_by, source }: Report): Author => {
    const given = author_name ?? author_email;
    if (source === API) {
      const outside = origin === null && author_email === null ? "API" : "Feedback";
      return {
        name: given ?? (outside === "API" ? "External system" : "Visitor"),
        person: undefined,
        outside,
      };
    }
    const person = personOf(created_by);
    return { name: given ?? nameOf(person), person: given === null ? person : undefined, outside: undefined };
  };
  return (report: Report): Author => {
    const author = known.get(report) ?? find(report);
    known.set(report, author);
    return author;
  };
}
