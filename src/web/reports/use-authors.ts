import { useMemo } from "react";
import type { Report } from "../../shared/reports.ts";
import type { Person } from "../../shared/answers.ts";
import type { Reporter } from "../comments/audience.tsx";
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

/** The author of a report from outside, to whom the team can reply; undefined for a member's report. */
export function useReporter(projectId: number, report: Report | undefined): Reporter | undefined {
  const authorOf = useAuthors(projectId);
  const isOutside = report?.source === API;
  const name = isOutside ? authorOf(report).name : "";
  const address = report?.author_email ?? null;
  return useMemo(() => (isOutside ? { name, address } : undefined), [isOutside, name, address]);
}

function findAuthors(personOf: ReturnType<typeof usePeople>["of"]) {
  const known = new WeakMap<Report, Author>();
  const find = ({ author_name, author_email, origin, created_by, source }: Report): Author => {
    const given = author_name ?? author_email;
    if (source === API) {
      // Older feedback has no origin if nothing was known.
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
