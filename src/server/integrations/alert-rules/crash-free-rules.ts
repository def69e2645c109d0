import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { shorten } from "../../inform/notify/message-parts.ts";
import type { ActiveRule } from "./active-rules.ts";
import type { Firing } from "./firing.ts";

type Release = {
  rule_id: number;
  id: number;
  version: string;
  sessions: number;
  crash_free: number;
  is_below: boolean;
};

/**
 * The firings of rules about releases with too many crashes, and those of releases that no longer have them. A window is the hours that it
 * touches, by the start of the sessions.
 */
export async function checkCrashFree(
  tx: Tx,
  rules: ActiveRule[],
): Promise<{ below: Firing[]; recovered: Firing[] }> {
  const own = rules.flatMap((rule) =>
    rule.when.kind === "release_crash_free" ? [{ rule, when: rule.when }] : [],
  );
  if (own.length === 0) return { below: [], recovered: [] };
  const sent = own.map(({ rule: { id, project_id, every_minutes }, when }) => ({
    rule_id: id,
    project_id,
    every_minutes,
    below: when.below,
    least: when.sessions,
    minutes: when.minutes,
  }));
  const releases = await readReleases(tx, JSON.stringify(sent));
  const firings = releases.flatMap((release) => {
    const found = own.find(({ rule }) => rule.id === release.rule_id);
    return found ? [{ release, ...found }] : [];
  });
  return {
    below: firings
      .filter(({ release }) => release.is_below)
      .map(({ release, rule, when }) => ({
        rule,
        subject: subjectOf(release),
        message: `${shorten(release.version)} is ${percent(release.crash_free)} crash-free in ${quantity(when.minutes, "minute")} (${quantity(release.sessions, "session")})`,
      })),
    recovered: firings
      .filter(({ release }) => !release.is_below)
      .map(({ release, rule, when }) => ({
        rule,
        subject: subjectOf(release),
        message: `${shorten(release.version)} has recovered: no longer below ${percent(when.below)} crash-free in ${quantity(when.minutes, "minute")}`,
      })),
  };
}

/** The releases for which rules have to fire, and those for which they have fired and that have recovered. */
async function readReleases(tx: Tx, rules: string): Promise<Release[]> {
  const { rows } = await sql<Release>`
    select * from (
      select c.*, r.version, c.sessions >= c.least and c.crash_free < c.below as is_below, f.fired_at,
        coalesce(f.is_open, false) as is_open
      from (
        select rule.rule_id, rule.every_minutes, rule.below, rule.least, candidate.id,
          coalesce(sum(s.sessions), 0)::bigint as sessions,
          case when sum(s.sessions) > 0 then greatest(0, 1 - sum(s.crashed) / sum(s.sessions)::float8) end as crash_free
        from json_to_recordset(${rules}) as rule (rule_id bigint, project_id bigint, every_minutes int,
          below float8, least bigint, minutes int)
        cross join lateral (
          select date_trunc('hour', clock_timestamp() - make_interval(mins => rule.minutes), 'UTC') as since
        ) w
        cross join lateral (
          select release_id as id from release_sessions where project_id = rule.project_id and hour >= w.since
          union
          select subject_id from alert_firings where rule_id = rule.rule_id and is_open
        ) candidate
        left join release_sessions s on s.release_id = candidate.id and s.hour >= w.since
        group by rule.rule_id, rule.every_minutes, rule.below, rule.least, candidate.id
      ) c
      join releases r on r.id = c.id
      left join alert_firings f on f.rule_id = c.rule_id and f.subject_id = c.id
    ) checked
    where case when is_below
      then fired_at is null or fired_at <= clock_timestamp() - make_interval(mins => every_minutes)
      else is_open end
    order by rule_id, id`.execute(tx);
  return rows;
}

const subjectOf = ({ id, version }: Release) => ({ kind: "release" as const, id, version });

/** Rounded down, because a share below a threshold must not read like the threshold. */
const percent = (share: number) => `${Math.floor(share * 10_000) / 100} %`;

export const quantity = (number: number, unit: string) =>
  `${number.toLocaleString("en")} ${number === 1 ? unit : `${unit}s`}`;
