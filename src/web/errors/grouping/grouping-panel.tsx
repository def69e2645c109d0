import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Grouping } from "../../../shared/error-grouping.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { groupingQuery } from "../../data/errors/error-grouping.ts";
import { can } from "../../data/projects/projects.ts";
import { Button } from "../../kit/button.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { QueryError } from "../../page/query-error.tsx";
import { MergedErrors } from "./merged-errors.tsx";
import { removedParts } from "./removed-parts.ts";
import { SimilarErrors } from "./similar-errors.tsx";

type Props = { project: Project; group: ErrorGroup };

/** How the events of an error are grouped, similar errors to merge, and merged ones to split off. */
export function GroupingPanel({ project, group }: Props) {
  const { data, error, refetch } = useQuery(groupingQuery(project.id, group.id));
  const mayUpdate = can(project, "error-groups:update");
  if (!data)
    return error ? (
      <QueryError error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton rows={4} label="Loading the grouping" />
    );
  return (
    <section aria-label="Grouping" className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <p className="text-text-2">{RULES[data.rule]}</p>
        <Lines lines={data.lines} />
      </div>
      <SimilarErrors project={project} group={group} grouping={data} mayUpdate={mayUpdate} />
      <MergedErrors project={project} group={group} grouping={data} mayUpdate={mayUpdate} />
    </section>
  );
}

const RULES: Record<Grouping["rule"], string> = {
  class_and_trace:
    "Events with the same exception class and the same stack trace form one error. Parts that are struck through do not count.",
  class_and_first_line:
    "The trace has no stack frames, so events with the same exception class and the same first line form one error. Parts that are struck through do not count.",
  mapped_frames:
    "Events with the same exception class and the same original code form one error. Parts that are struck through do not count.",
  client: "The sender chose the fingerprint of these events, so their class and trace do not matter.",
};

const MAX_SHOWN_LINES = 40;

function Lines({ lines }: Pick<Grouping, "lines">) {
  const [all, setAll] = useState(false);
  if (lines.length === 0) return null;
  const shown = all ? lines : lines.slice(0, MAX_SHOWN_LINES);
  return (
    <div className="rounded-md border border-line bg-surface">
      <ol aria-label="Lines that count" className="px-3 py-2 font-mono text-sm/[20px]">
        {shown.map(({ original, normalized }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the order never changes
          <li key={index} dir="ltr" className="wrap-anywhere whitespace-pre-wrap">
            {removedParts(original, normalized).map(({ text, removed }, part) =>
              removed ? (
                // oxlint-disable-next-line react/no-array-index-key -- the order never changes
                <del key={part} className="text-text-3">
                  {text}
                </del>
              ) : (
                text
              ),
            )}
          </li>
        ))}
      </ol>
      {shown.length < lines.length && (
        <div className="border-t border-line px-3 py-2">
          <Button size="sm" onClick={() => setAll(true)}>{`Show all ${lines.length} lines`}</Button>
        </div>
      )}
    </div>
  );
}
