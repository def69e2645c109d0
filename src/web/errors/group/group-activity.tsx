import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ErrorGroupActivity } from "../../../shared/error-group-work.ts";
import type { Project } from "../../../shared/projects.ts";
import { groupActivityQuery } from "../../data/errors/error-group-work.ts";
import { useIssuesById } from "../../data/issues/issue-relations.ts";
import { nameOf, usePeople } from "../../data/projects/people.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { QueryError } from "../../page/query-error.tsx";
import { foldReleases } from "./fold-releases.ts";
import { groupSentence } from "./group-sentences.ts";

/** What happened to a group, newest first. Events have no actor. */
export function GroupActivity({ project, groupId }: { project: Project; groupId: number }) {
  const { data, error, refetch } = useQuery(groupActivityQuery(project.id, groupId));
  const people = usePeople(project.id);
  const linked = useMemo(() => [...new Set((data ?? NOTHING).flatMap(issueIds))], [data]);
  const issues = useIssuesById(project.id, linked);
  const names = {
    person: (id: number) => {
      const person = people.of(id);
      return person && nameOf(person);
    },
    issue: (id: number) => issues.of(id)?.key,
  };
  if (!data) return error ? <QueryError error={error} retry={() => void refetch()} /> : <Skeleton rows={4} />;
  return (
    <section aria-label="History">
      <h2 className="sr-only">History</h2>
      {data.length === 0 && <p className="text-text-3">Nothing has happened to this error yet.</p>}
      <ol className="flex flex-col">
        {foldReleases(data)
          .toReversed()
          .map((entry) => {
            const actor = people.of(entry.actor_id);
            return (
              <li key={entry.id} className="flex min-w-0 items-start gap-3 py-1.5">
                {entry.actor_id === null ? (
                  <span aria-hidden className="m-1.5 size-2 shrink-0 rounded-full bg-line-strong" />
                ) : (
                  <Avatar person={actor ?? null} size={20} />
                )}
                <p className="min-w-0 flex-1 wrap-anywhere text-text-2">
                  {entry.actor_id !== null && <bdi className="font-medium text-text">{nameOf(actor)}</bdi>}{" "}
                  {groupSentence(entry, names)}{" "}
                  <Time at={entry.created_at} className="text-sm whitespace-nowrap text-text-3" />
                </p>
              </li>
            );
          })}
      </ol>
    </section>
  );
}

const NOTHING: ErrorGroupActivity[] = [];

const issueIds = ({ kind, from, to }: ErrorGroupActivity): number[] =>
  kind === "linked" || kind === "unlinked" ? [from, to].filter((id) => typeof id === "number") : [];
