import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { Suspense, useRef } from "react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import type { Report } from "../../../shared/reports.ts";
import { nameOf, usePeople } from "../../data/projects/people.ts";
import { mayLinkErrors, useLinkGroup } from "../../data/errors/link-group.ts";
import { can } from "../../data/projects/projects.ts";
import { reportQuery, reportsQuery } from "../../data/reports/reports.ts";
import { Badge } from "../../kit/badge.tsx";
import { Count } from "../../kit/count.tsx";
import { countOf } from "../../kit/count-text.ts";
import { DayStrip } from "../../kit/charts/day-strip.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { KIND_ICONS } from "../../marks/kind-icons.ts";
import { deferredPart } from "../../kit/lazy-part.tsx";
import { SectionHead } from "../../kit/section-head.tsx";
import { StateMark } from "../../marks/state-mark.tsx";
import { Time } from "../../kit/dates/time.tsx";
import { linkedGroupQuery } from "../../data/errors/use-groups.ts";
import type { PartOpener } from "../part-opener.ts";

/** More reports than this are read with one request for the whole queue instead of one request each. */
const MAX_SINGLE_READS = 6;

// The picker is seldom needed.
const ErrorLinker = deferredPart(async () => (await import("./error-linker.tsx")).ErrorLinker);

type Props = { project: Project; issue: Issue; opener: PartOpener };

/** The reports and errors that were promoted or linked to the issue, its duplicates, and how to link further errors. */
export function Sources({ project, issue, opener }: Props) {
  const { error_group_ids, voices } = issue;
  const report_ids = [...issue.report_ids, ...issue.duplicate_report_ids];
  const section = useRef<HTMLElement>(null);
  const reads = (feature: "reports" | "error_tracking", permission: "reports:read" | "error-groups:read") =>
    project.features[feature] && can(project, permission);
  const mayLink = mayLinkErrors(project);
  const isEmpty = report_ids.length === 0 && error_group_ids.length === 0;
  const linker = mayLink && (
    <Suspense fallback={null}>
      <ErrorLinker project={project} issue={issue} opener={opener} isInMenu={isEmpty} />
    </Suspense>
  );
  if (isEmpty) return linker;
  const focusLinker = () => section.current?.querySelector<HTMLElement>("button[data-add]")?.focus();
  return (
    <section ref={section} aria-label="Sources" className="flex min-w-0 flex-col gap-1">
      <SectionHead
        title="Sources"
        aside={voices > 1 && <span className="font-normal">{countOf(voices, "voice")}</span>}
        isEmpty={false}
      >
        {linker}
      </SectionHead>
      <ul className="flex flex-col rounded-md border border-line bg-surface">
        {error_group_ids.length > 0 &&
          (reads("error_tracking", "error-groups:read") ? (
            error_group_ids.map((id) => (
              <LinkedErrorGroup
                key={id}
                project={project}
                id={id}
                onUnlink={mayLink ? focusLinker : undefined}
              />
            ))
          ) : (
            <Unavailable>
              {error_group_ids.length === 1 ? "An error" : `${error_group_ids.length} errors`} that you don’t
              have access to
            </Unavailable>
          ))}
        {report_ids.length > 0 &&
          (reads("reports", "reports:read") ? (
            <LinkedReports project={project} ids={report_ids} />
          ) : (
            <Unavailable>
              {report_ids.length === 1 ? "A report" : `${report_ids.length} reports`} that you don’t have
              access to
            </Unavailable>
          ))}
      </ul>
    </section>
  );
}

function Unavailable({ children }: { children: React.ReactNode }) {
  return <li className={`${LINE} text-text-3`}>{children}</li>;
}

type LinkedProps = {
  project: Project;
  id: number;
  /** Called when the link is about to end, which removes the line. Without it, the link cannot be ended. */
  onUnlink: (() => void) | undefined;
};

function LinkedErrorGroup({ project, id, onUnlink }: LinkedProps) {
  const { mutate, isPending } = useLinkGroup();
  const { data, isError } = useQuery(linkedGroupQuery(project.id, id));
  if (isError && !data) return <Unavailable>The error group could not be loaded</Unavailable>;
  if (!data) return <Unavailable>Loading the error group</Unavailable>;
  return (
    <li className={LINE}>
      <StateMark status={data.status} regressedAt={data.regressed_at} reopenCount={data.reopen_count} />
      <Link
        to="/projects/$projectKey/errors/$errorGroupId"
        params={{ projectKey: project.key, errorGroupId: String(id) }}
        className={LINK}
        title={`${data.exception_class}: ${data.latest_message}`}
      >
        <span className="font-medium">{data.exception_class}</span>
        {data.latest_message !== "" && `: ${data.latest_message}`}
      </Link>
      <span className="shrink-0 max-sm:hidden">
        <DayStrip counts={data.daily_counts.slice(-14)} />
      </span>
      <span className="flex shrink-0 gap-2 text-sm text-text-3">
        <Count value={data.occurrence_count} unit="occurrences" />
        <Time at={data.last_seen_at} as="row" className="max-sm:hidden" />
      </span>
      {onUnlink && (
        <IconButton
          size="sm"
          icon={X}
          label={`Unlink ${data.exception_class}`}
          disabled={isPending}
          onClick={() => {
            mutate({ group: data, issue: null });
            onUnlink();
          }}
        />
      )}
    </li>
  );
}

function LinkedReports({ project, ids }: { project: Project; ids: readonly number[] }) {
  const people = usePeople(project.id);
  const few = ids.length <= MAX_SINGLE_READS;
  const singles = useQueries({
    queries: (few ? ids : []).map((id) => reportQuery(project.id, id)),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const whole = useQuery({ ...reportsQuery(project.id), enabled: !few });
  const known = new Map((few ? singles : (whole.data ?? [])).map((report) => [report.id, report]));
  return ids.map((id) => {
    const report = known.get(id);
    if (!report) return <Unavailable key={id}>Report {id}</Unavailable>;
    return (
      <li key={id} className={LINE}>
        <KIND_ICONS.report aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-text-3" />
        <Link
          to="/projects/$projectKey/reports/$reportId"
          params={{ projectKey: project.key, reportId: String(id) }}
          dir="auto"
          className={LINK}
          title={report.title}
        >
          {report.title}
        </Link>
        <span className="max-w-40 truncate text-sm text-text-3 max-sm:hidden">
          {report.author_name ??
            (report.created_by === null ? "External" : nameOf(people.of(report.created_by)))}
        </span>
        <Badge tone={report.dismissed_at === null ? "resolved" : "ignored"}>{stateOf(report)}</Badge>
      </li>
    );
  });
}

function stateOf({ dismissed_at, dismiss_reason, promoted_at }: Report): string {
  if (dismissed_at !== null) return dismiss_reason === "duplicate" ? "Duplicate" : "Dismissed";
  return promoted_at === null ? "Active" : "Promoted";
}

const LINE = "flex min-h-10 min-w-0 items-center gap-3 px-3 py-1 not-last:border-b not-last:border-line";
const LINK = "min-w-0 flex-1 truncate rounded-sm leading-6 hover:underline";
