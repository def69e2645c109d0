import { BadgeCheck } from "lucide-react";
import { use } from "react";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import { nameOf, usePeople } from "../data/people.ts";
import { Time, TimeZoneContext } from "../kit/time.tsx";
import { conditionText, progressText } from "./snooze-text.ts";
import { IGNORED, isRegressed, reopensWhen, RESOLVED, resolvedText, type StatusFields } from "./states.ts";

type Props = {
  group: StatusFields & Partial<Pick<ErrorGroup, "releases">> & { project_id: number; reopen_count: number };
};

/** Who or what set the status of the group, and what would change it. */
export function GroupState({ group }: Props) {
  const people = usePeople(group.project_id);
  const resolver = group.resolved_by_id === null ? "Someone" : nameOf(people.of(group.resolved_by_id));
  const timeZone = use(TimeZoneContext);
  if (group.status === RESOLVED)
    return (
      <p className="text-text-2">
        {capitalized(resolvedText(group))} by {resolver} <Time at={group.resolved_at} />. {reopensWhen(group)}
        {group.verified_at && (
          <>
            {" "}
            <span className="inline-flex items-center gap-1 font-medium text-resolved">
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
        {group.snoozed_until
          ? `Ignored ${conditionText(group.snoozed_until, timeZone)}.`
          : "New events are counted but do not reopen it."}
        {progress !== "" && ` So far: ${progress}.`}
      </p>
    );
  }
  if (!isRegressed(group)) return null;
  const release = group.releases?.find(({ first_seen_at }) => first_seen_at === group.regressed_at)?.release;
  return (
    <p className="text-regressed">
      Reopened{release !== undefined && ` by release ${release}`} <Time at={group.regressed_at} />
      {group.reopen_count > 1 && `, the ${ordinal(group.reopen_count)} time`}.
      {group.resolved_at !== null && (
        <span className="text-text-2">
          {" "}
          It was resolved by {resolver} <Time at={group.resolved_at} />.
        </span>
      )}
    </p>
  );
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const rules = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Record<string, string> = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinal = (count: number) => `${count}${SUFFIXES[rules.select(count)] ?? "th"}`;
