import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Grouping } from "../../shared/error-grouping.ts";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { groupingQuery, useMergeGroups, useSplitGroup } from "../data/error-grouping.ts";
import { can } from "../data/projects.ts";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { Time } from "../kit/time.tsx";
import { QueryError } from "../page/query-error.tsx";
import { removedParts } from "./removed-parts.ts";

type Props = { project: Project; group: ErrorGroup };

/** By what the events of an error are grouped, similar errors to merge, and merged ones to split off. */
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
      <Near project={project} group={group} grouping={data} mayUpdate={mayUpdate} />
      <Merged project={project} group={group} grouping={data} mayUpdate={mayUpdate} />
    </section>
  );
}

const RULES: Record<Grouping["rule"], string> = {
  class_and_trace:
    "Events with the same exception class and the same stack trace form one error. Parts that are struck through do not count.",
  class_and_first_line:
    "The trace has no stack frames, so events with the same exception class and the same first line form one error. Parts that are struck through do not count.",
  client: "The sender chose the fingerprint of these events, so their class and trace do not matter.",
};

const SHOWN_LINES = 40;

function Lines({ lines }: Pick<Grouping, "lines">) {
  const [all, setAll] = useState(false);
  if (lines.length === 0) return null;
  const shown = all ? lines : lines.slice(0, SHOWN_LINES);
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

type PartProps = Props & { grouping: Grouping; mayUpdate: boolean };

function Near({ project, group, grouping: { rule, near, near_groups }, mayUpdate }: PartProps) {
  const { mutateAsync } = useMergeGroups();
  const [asked, setAsked] = useState<{ id: number; name: string }>();
  const [open, setOpen] = useState(false);
  if (rule !== "class_and_trace") return null;
  return (
    <Part title="Similar errors" intro={near.length === 0 && "No other error differs in a single line."}>
      {near.map(({ error_group_id: id, differs_in }) => {
        const other = near_groups.find((one) => one.id === id);
        const name = `${other?.exception_class ?? "Error"} #${id}`;
        return (
          <Entry
            key={id}
            action={
              mayUpdate && (
                <Button
                  size="sm"
                  aria-label={`Merge ${name} into this`}
                  onClick={() => {
                    setAsked({ id, name });
                    setOpen(true);
                  }}
                >
                  Merge into this
                </Button>
              )
            }
          >
            <Link
              to="/projects/$projectKey/errors/$errorGroupId"
              params={{ projectKey: project.key, errorGroupId: String(id) }}
              className="font-medium text-accent-text hover:underline"
            >
              <bdi>{name}</bdi>
            </Link>
            {other && (
              <span dir="auto" className="block truncate text-text-2">
                {other.latest_message}
              </span>
            )}
            <span className="block text-sm wrap-anywhere text-text-3">
              {differs_in === null ? (
                "Has one line less"
              ) : (
                <>
                  Differs in <code dir="ltr">{differs_in}</code>
                </>
              )}
            </span>
          </Entry>
        );
      })}
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Merge ${asked?.name ?? ""} into this error?`}
        confirm="Merge"
        tone="primary"
        onConfirm={() => mutateAsync({ projectId: project.id, id: group.id, ids: asked ? [asked.id] : [] })}
      >
        Its events, comments and history move here, and its new events are counted here. You can split it off
        again later, but the counts so far stay together.
      </ConfirmDialog>
    </Part>
  );
}

function Merged({ project, group, grouping: { fingerprints, merged }, mayUpdate }: PartProps) {
  const { mutateAsync } = useSplitGroup();
  const [asked, setAsked] = useState<{ fingerprint: string; name: string }>();
  const [open, setOpen] = useState(false);
  if (merged.length === 0) return null;
  return (
    <Part
      title="Merged errors"
      intro="After a split, new events form an error of their own. The events counted so far stay here."
    >
      {merged.map(({ fingerprint, exception_class, message }) => {
        const at = fingerprints.find((one) => one.fingerprint === fingerprint)?.merged_at;
        return (
          <Entry
            key={fingerprint}
            action={
              mayUpdate && (
                <Button
                  size="sm"
                  aria-label={`Split off ${exception_class}`}
                  onClick={() => {
                    setAsked({ fingerprint, name: exception_class });
                    setOpen(true);
                  }}
                >
                  Split off
                </Button>
              )
            }
          >
            <bdi className="font-medium">{exception_class}</bdi>
            <span dir="auto" className="block truncate text-text-2">
              {message}
            </span>
            <span className="block text-sm text-text-3">
              <span title={fingerprint}>{`Fingerprint ${fingerprint.slice(0, 8)}`}</span>
              {at && (
                <>
                  , merged <Time at={at} />
                </>
              )}
            </span>
          </Entry>
        );
      })}
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Split off ${asked?.name ?? ""}?`}
        confirm="Split off"
        tone="primary"
        onConfirm={() =>
          mutateAsync({ projectId: project.id, id: group.id, fingerprint: asked?.fingerprint ?? "" })
        }
      >
        From now on, its events form an error of their own. The events counted so far stay in this one.
      </ConfirmDialog>
    </Part>
  );
}

function Part({ title, intro, children }: { title: string; intro: string | false; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-semibold">{title}</h2>
      {intro && <p className="text-text-3">{intro}</p>}
      <div role="list" aria-label={title} className="flex flex-col divide-y divide-line empty:hidden">
        {children}
      </div>
    </section>
  );
}

function Entry({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <div role="listitem" className="flex min-w-0 flex-wrap items-start gap-x-3 gap-y-2 py-2">
      <div className="min-w-40 flex-1">{children}</div>
      {action}
    </div>
  );
}
