import { BadgeCheck } from "lucide-react";
import { use } from "react";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import { nameOf, usePeople } from "../../data/projects/people.ts";
import { StateMark } from "../../marks/state-mark.tsx";
import { regressedIn } from "../../lifecycle/steps.ts";
import { Time, TimeZoneContext } from "../../kit/dates/time.tsx";
import { conditionText, progressText } from "../../data/errors/snooze-text.ts";
import {
  IGNORED,
  isRegressed,
  isResolvedByMonitor,
  reopensWhen,
  RESOLVED,
  resolvedText,
  type StatusFields,
} from "../../data/errors/group-status.ts";

type Group = StatusFields &
  Pick<ErrorGroup, "exception_class" | "project_id" | "reopen_count"> &
  Partial<Pick<ErrorGroup, "releases">>;

/**
 * Who or what set the status of the group, and what would change it. With `marked`, it begins with the status as a mark, which
 * replaces the first word of the sentence where possible.
 */
export function GroupState({ group, marked = false }: { group: Group; marked?: boolean }) {
  const people = usePeople(group.project_id);
  const isByMonitor = isResolvedByMonitor(group);
  // A push to a Git host resolves without a person.
  const by = isByMonitor
    ? " by its monitor"
    : group.resolved_by_id === null
      ? ""
      : ` by ${nameOf(people.of(group.resolved_by_id))}`;
  const timeZone = use(TimeZoneContext);
  const mark = marked && <Mark group={group} />;
  if (group.status === RESOLVED)
    return (
      <p className="text-text-2">
        {mark || "Resolved"}
        {resolvedText(group).slice("resolved".length)}
        {by} <Time at={group.resolved_at} />.{" "}
        {isByMonitor ? "Reopens at the next failure." : reopensWhen(group)}
        {group.verified_at && (
          <>
            {" "}
            <span className="inline-flex items-center gap-1 align-bottom font-medium text-resolved">
              <BadgeCheck aria-hidden size={14} />
              Verified
            </span>{" "}
            <Time at={group.verified_at} />: a newer release ran for 48 hours without it.
          </>
        )}
      </p>
    );
  if (group.status === IGNORED) {
    const progress = progressText(group);
    return (
      <p className="text-text-2">
        {mark || "Ignored"}
        {group.snoozed_until
          ? ` ${conditionText(group.snoozed_until, timeZone)}.`
          : ": new events are counted but do not reopen it."}
        {progress !== "" && ` So far: ${progress}.`}
      </p>
    );
  }
  if (!isRegressed(group)) return mark && <p>{mark}</p>;
  const release = regressedIn(group);
  return (
    <p className="text-regressed">
      {mark} Reopened{release !== undefined && ` by release ${release}`} <Time at={group.regressed_at} />
      {group.reopen_count > 1 && `, the ${ordinal(group.reopen_count)} time`}.
      {group.resolved_at !== null && (
        <span className="text-text-2">
          {" "}
          It was resolved{by} <Time at={group.resolved_at} />.
        </span>
      )}
    </p>
  );
}

/** On the line of the text around it. */
const Mark = ({ group: { status, regressed_at, reopen_count } }: { group: Group }) => (
  <span className="inline-flex align-bottom">
    <StateMark status={status} regressedAt={regressed_at} reopenCount={reopen_count} />
  </span>
);

const rules = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Record<string, string> = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinal = (count: number) => `${count}${SUFFIXES[rules.select(count)] ?? "th"}`;
