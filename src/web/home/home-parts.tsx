import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Home } from "../../shared/home.ts";
import { nameOf } from "../data/projects/people.ts";
import { useProjects } from "../data/projects/projects.ts";
import { Avatar } from "../kit/avatar.tsx";
import { LaneMark } from "../marks/lane-mark.tsx";
import { PriorityMark } from "../marks/priority-mark.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { Time } from "../kit/dates/time.tsx";
import { TypeMark } from "../marks/type-mark.tsx";
import { ItemKey } from "../lists/item-key.tsx";
import { PanelLine } from "../lists/panel-line.tsx";
import { wholeRow } from "../lists/row.tsx";
import { wordsOf } from "./change-words.ts";

/** Issues of the user that others have changed. */
export function Changes({ home }: { home: Home }) {
  const { changes, since, is_first_visit } = home;
  return (
    <Part
      title={is_first_visit ? "Changed in the last 7 days" : "Since your last visit"}
      aside={!is_first_visit && <Time at={since} className="text-text-3 text-sm" />}
      isEmpty={changes.length === 0}
      empty={
        <>
          Nothing has changed in the issues you watch. See <Link to="/notifications">your inbox</Link> or{" "}
          <Link to="/my-issues">your issues</Link>.
        </>
      }
    >
      {changes.map((change) => (
        <PanelLine key={change.id} end={<Time at={change.at} as="row" />}>
          <Avatar person={change.actor} named />
          <span className="min-w-0">
            <IssueLink issue={change} />
            <span className="text-text-2 block truncate text-sm">
              {nameOf(change.actor)} {wordsOf(change)}
            </span>
          </span>
        </PanelLine>
      ))}
    </Part>
  );
}

/** The user's issues in progress. */
export function Work({ home: { work } }: { home: Home }) {
  return (
    <Part
      title="In progress"
      aside={<AllLink to="/my-issues">My issues</AllLink>}
      isEmpty={work.length === 0}
      empty={
        <>
          You have no issues in progress. Pick one from <Link to="/my-issues">your issues</Link>.
        </>
      }
    >
      {work.map((issue) => (
        <PanelLine
          key={issue.id}
          end={
            <span className="hidden sm:flex">
              <LaneMark kind={issue.lane_kind} name={issue.lane_name} />
            </span>
          }
        >
          <PriorityMark priority={issue.priority} compact />
          <IssueLink issue={issue} />
        </PanelLine>
      ))}
    </Part>
  );
}

/** The error groups that regressed last. */
export function Regressions({ home: { regressions, projects } }: { home: Home }) {
  const keys = useProjectKeys();
  const readable = projects.filter(({ daily_counts }) => daily_counts !== null);
  const [first] = readable;
  return (
    <Part
      title="Regressions"
      aside={
        <Link to="/errors" search={{ tab: "regressed" }} className={ALL_LINK}>
          All errors
        </Link>
      }
      isEmpty={regressions.length === 0}
      empty={
        first !== undefined && readable.every(isQuiet) ? (
          <>
            No errors in the last {first.daily_counts?.length} days. To send them here,{" "}
            <Link
              to="/projects/$projectKey/settings"
              params={{ projectKey: keys(first.project_id) }}
              search={{ section: "ingestion" }}
            >
              connect an app
            </Link>
            .
          </>
        ) : (
          "No resolved error has come back."
        )
      }
    >
      {regressions.map((group) => (
        <PanelLine key={group.id} end={<Time at={group.regressed_at} as="row" />}>
          <StateMark status={0} regressedAt={group.regressed_at} reopenCount={group.reopen_count} compact />
          <span className="min-w-0">
            <Link
              to="/projects/$projectKey/errors/$errorGroupId"
              params={{ projectKey: keys(group.project_id), errorGroupId: String(group.id) }}
              className={`block truncate font-medium ${wholeRow}`}
              dir="auto"
              title={group.latest_message || group.exception_class}
            >
              {group.latest_message || group.exception_class}
            </Link>
            <span className="text-text-2 block truncate text-sm">
              {keys(group.project_id)}
              {group.last_release !== null && ` · ${group.last_release}`} · {group.exception_class}
            </span>
          </span>
        </PanelLine>
      ))}
    </Part>
  );
}

/** No error is open, and no event arrived lately. Perhaps nothing sends errors yet. */
const isQuiet = ({ open_errors, daily_counts }: Home["projects"][number]) =>
  open_errors === 0 && (daily_counts ?? []).every((count) => count === 0);

/** The reports that have waited longest, in the triage queue of their project. */
export function Waiting({ home: { waiting } }: { home: Home }) {
  const keys = useProjectKeys();
  return (
    <Part title="Waiting longest" isEmpty={waiting.length === 0} empty="Every report is triaged.">
      {waiting.map((report) => (
        <PanelLine key={report.id} end={<Time at={report.created_at} as="row" />}>
          <ItemKey>{keys(report.project_id)}</ItemKey>
          <Link
            to="/projects/$projectKey/triage"
            params={{ projectKey: keys(report.project_id) }}
            search={{ report: String(report.id) }}
            className={`min-w-0 truncate font-medium ${wholeRow}`}
            dir="auto"
            title={report.title}
          >
            {report.title}
          </Link>
        </PanelLine>
      ))}
    </Part>
  );
}

function useProjectKeys(): (projectId: number) => string {
  const keys = new Map(useProjects().map(({ id, key }) => [id, key]));
  // A project that was just added is found by its id, too.
  return (projectId) => keys.get(projectId) ?? String(projectId);
}

function IssueLink({ issue }: { issue: Home["work"][number] | Home["changes"][number] }) {
  const [projectKey = ""] = issue.key.split("-");
  return (
    <Link
      to="/projects/$projectKey/issues/$issueKey"
      params={{ projectKey, issueKey: issue.key }}
      className={`flex min-w-0 items-center gap-2 ${wholeRow}`}
      // The same as the name, so that screen readers do not read the title twice.
      title={`${issue.key} ${issue.title}`}
    >
      <TypeMark type={issue.type} compact />
      <ItemKey>{issue.key}</ItemKey>
      <span dir="auto" className="min-w-0 truncate font-medium">
        {issue.title}
      </span>
    </Link>
  );
}

const ALL_LINK = "text-accent-text text-sm hover:underline";

function AllLink({ to, children }: { to: "/my-issues" | "/errors"; children: ReactNode }) {
  return (
    <Link to={to} className={ALL_LINK}>
      {children}
    </Link>
  );
}

type PartProps = {
  title: string;
  aside?: ReactNode;
  isEmpty: boolean;
  empty: ReactNode;
  children: ReactNode;
};

function Part({ title, aside, isEmpty, empty, children }: PartProps) {
  const id = `home-${title.toLowerCase().replaceAll(" ", "-")}`;
  return (
    <section aria-labelledby={id} className="border-line bg-surface min-w-0 rounded-md border">
      <div className="border-line flex h-10 items-center justify-between gap-4 border-b px-4">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {isEmpty ? (
        <p className="text-text-2 [&_a]:text-accent-text p-4 [&_a]:underline">{empty}</p>
      ) : (
        <ul>{children}</ul>
      )}
    </section>
  );
}
