import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { IssueActivity } from "../../shared/issues.ts";
import type { Project } from "../../shared/projects.ts";
import { QueryError } from "../page/query-error.tsx";
import { estimateText } from "../marks/estimate.ts";
import { useIssuesById } from "../data/issues/issue-relations.ts";
import { useIssueNames } from "../data/projects/use-issue-names.ts";
import { nameOf, usePeople } from "../data/projects/people.ts";
import { Avatar } from "../kit/avatar.tsx";
import { PRIORITY_WORDS } from "../marks/priority-mark.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { dayText } from "../kit/dates/time-text.ts";
import { Time } from "../kit/dates/time.tsx";
import { TYPE_WORDS } from "../marks/type-mark.tsx";
import { activityQuery } from "../data/issues/activity.ts";
import { sentenceOf, type Names } from "./sentences.ts";

/** The history of an issue, newest first. */
export function Activity({ project, issueId }: { project: Project; issueId: number }) {
  const { data, error, refetch } = useQuery(activityQuery(project.id, issueId));
  const people = usePeople(project.id);
  const names = useNames(project, data ?? NOTHING);
  if (!data) return error ? <QueryError error={error} retry={() => void refetch()} /> : <Skeleton rows={4} />;
  return (
    <section aria-label="History">
      <h2 className="sr-only">History</h2>
      <ol className="flex flex-col">
        {withoutMovesByRegressions(data)
          .toReversed()
          .map((entry) => {
            const actor = people.of(entry.actor_id);
            return (
              <li key={entry.id} className="flex min-w-0 items-start gap-3 py-1.5">
                <Avatar person={actor ?? null} size={20} />
                <p className="min-w-0 flex-1 text-text-2">
                  {entry.kind !== "regressed" && <bdi className="font-medium text-text">{nameOf(actor)}</bdi>}{" "}
                  {sentenceOf(entry, names)}{" "}
                  <Time at={entry.created_at} className="text-sm whitespace-nowrap text-text-3" />
                </p>
              </li>
            );
          })}
      </ol>
    </section>
  );
}

/** The sentence about a regression says that it reopened the issue, so its move to another lane would be said twice, and by nobody. */
const withoutMovesByRegressions = (history: readonly IssueActivity[]) =>
  history.filter(
    ({ kind, actor_id }, index) =>
      kind !== "lane_id" || actor_id !== null || history[index - 1]?.kind !== "regressed",
  );

const NOTHING: IssueActivity[] = [];

function useNames(project: Project, entries: readonly IssueActivity[]): Names {
  const issueNames = useIssueNames(project.id);
  const related = useMemo(() => [...new Set(entries.flatMap(relatedIds))], [entries]);
  const issues = useIssuesById(project.id, related);
  return useMemo(
    () => ({
      person: (id) => {
        const person = issueNames.person(id);
        return person && nameOf(person);
      },
      lane: (id) => issueNames.lane(id)?.name,
      sprint: issueNames.sprintName,
      epic: issueNames.epicTitle,
      label: (id) => issueNames.label(id)?.name,
      issue: (id) => issues.of(id)?.key,
      priority: (value) => PRIORITY_WORDS[value],
      type: (value) => TYPE_WORDS[value],
      estimate: estimateText,
      day: (day) => dayText(day),
    }),
    [issueNames, issues],
  );
}

const RELATED = new Set(["blocked_by_ids", "blocks_ids", "relates_to_ids", "parent_id", "duplicate_of_id"]);

function relatedIds({ kind, from, to }: IssueActivity): number[] {
  if (!RELATED.has(kind)) return [];
  return [from, to].flatMap((ids) => (ids === null ? [] : (ids as number[] | number)));
}
