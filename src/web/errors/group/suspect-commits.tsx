import { useQuery } from "@tanstack/react-query";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { suspectsQuery } from "../../data/integrations/git.ts";
import { nameOf, usePeople } from "../../data/projects/people.ts";
import { Time } from "../../kit/dates/time.tsx";
import { Section } from "./group-facts.tsx";

/** Commits before the first release with the error that changed a file of its stack trace; nothing if there are none. */
export function SuspectCommits({ group, project }: { group: ErrorGroup; project: Project }) {
  const { data: suspects = [] } = useQuery(suspectsQuery(project.id, group.id));
  const people = usePeople(project.id);
  if (suspects.length === 0) return null;
  return (
    <Section title={suspects.length === 1 ? "Suspect commit" : "Suspect commits"}>
      <ul aria-label="Suspect commits" className="flex flex-col gap-2">
        {suspects.map(({ commit, title, url, author_name, files, created_at, user_id }) => (
          <li key={commit} className="min-w-0">
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              dir="auto"
              className="block min-h-6 truncate rounded-sm text-accent-text hover:underline"
              title={title}
            >
              {title}
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
            <p className="flex flex-wrap gap-x-2 text-sm text-text-3">
              <bdi>{user_id === null ? (author_name ?? "Unknown author") : nameOf(people.of(user_id))}</bdi>
              <Time at={created_at} />
            </p>
            <p className="text-sm wrap-anywhere text-text-3">{files.join(", ")}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
