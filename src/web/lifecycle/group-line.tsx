import { Link } from "@tanstack/react-router";
import { BadgeCheck } from "lucide-react";
import type { ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { Badge } from "../kit/badge.tsx";
import { Count } from "../kit/count.tsx";
import { DayStrip } from "../kit/charts/day-strip.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { Time } from "../kit/dates/time.tsx";

/** The fields that a list item and the whole resource share. */
type Group = Pick<
  ErrorGroupListItem,
  | "id"
  | "status"
  | "regressed_at"
  | "reopen_count"
  | "verified_at"
  | "exception_class"
  | "latest_message"
  | "occurrence_count"
  | "last_seen_at"
  | "daily_counts"
>;

/** Days that the strip shows. */
const DAYS = 14;

/** An error in a list beside other things: its state, what happened, its last two weeks, and whether its fix is verified. */
export function GroupLine({ project, group }: { project: Project; group: Group }) {
  return (
    <li className="flex min-h-13 min-w-0 items-center gap-3 px-3 py-1.5 not-last:border-b not-last:border-line">
      <StateMark
        status={group.status}
        regressedAt={group.regressed_at}
        reopenCount={group.reopen_count}
        compact
      />
      <div className="min-w-0 flex-1">
        <Link
          to="/projects/$projectKey/errors/$errorGroupId"
          params={{ projectKey: project.key, errorGroupId: String(group.id) }}
          className="block truncate rounded-sm font-medium hover:underline"
          title={`${group.exception_class}: ${group.latest_message}`}
        >
          <bdi>{group.latest_message || group.exception_class}</bdi>
        </Link>
        <p className="flex gap-2 text-sm text-text-3">
          <span className="min-w-0 flex-1 truncate">{group.exception_class}</span>
          <span className="flex shrink-0 gap-2 @min-[440px]:hidden">
            <Count value={group.occurrence_count} unit="events" />
            <Time at={group.last_seen_at} as="row" />
          </span>
        </p>
      </div>
      {group.verified_at !== null && (
        <Badge tone="resolved" icon={BadgeCheck}>
          Verified
        </Badge>
      )}
      <span className="hidden shrink-0 @min-[560px]:block">
        <DayStrip counts={group.daily_counts.slice(-DAYS)} />
      </span>
      <Count
        value={group.occurrence_count}
        unit="events"
        className="hidden w-12 shrink-0 text-end @min-[440px]:block"
      />
      <Time
        at={group.last_seen_at}
        as="row"
        className="hidden w-24 shrink-0 truncate text-end text-sm text-text-2 @min-[440px]:block"
      />
    </li>
  );
}
