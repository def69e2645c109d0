import { z } from "zod";
import { count, day, moment } from "./answers.ts";
import { errorGroupListItemAnswer, errorGroupExamples, releaseName } from "./error-groups.ts";
import { filterOf, idsFilter } from "./filters.ts";
import { AT, LATER } from "./example-values.ts";
import {
  MAX_HEALTH_ENVIRONMENTS,
  exampleComparison,
  exampleHealth,
  releaseComparisonAnswer,
  releaseHealthAnswer,
} from "./release-health.ts";
import { id, line, mustBe, optional, timestamp } from "./text.ts";

/** The most groups in each list of a release's details: introduced, regressed and fixed. */
export const MAX_RELEASE_GROUPS = 100;

/** The most deploys in a release, newest first. */
export const MAX_DEPLOYS = 100;

const MAX_URL = 2_000;

/** The most releases that are named for a day of an error's chart. */
export const MAX_NAMED_RELEASES = 3;

const webAddress = z
  .string(mustBe("a string"))
  .max(MAX_URL, `must be at most ${MAX_URL} characters`)
  .refine(isWebAddress, "must be an address that begins with http:// or https://")
  .meta({ maxLength: MAX_URL, format: "uri" });

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && !/[\s\0]/.test(value) && URL.canParse(value);
}

export const deployBody = z.object({
  version: releaseName,
  environment: optional(line(255)),
  commit: optional(line(255)),
  url: optional(webAddress),
  /** Default: now. */
  deployed_at: optional(timestamp),
});

const deployAnswer = z.strictObject({
  environment: z.string().nullable(),
  deployed_at: moment,
  commit: z.string().nullable(),
  url: z.string().nullable(),
});

export const releaseAnswer = z.strictObject({
  id,
  project_id: id,
  version: z.string(),
  /** The first event or deploy; null while only a resolution names the release. */
  first_seen_at: moment.nullable(),
  /** Newest first. */
  deploys: z.array(deployAnswer).max(MAX_DEPLOYS),
  /** Events of the release. */
  events: count,
  /** Error groups whose first event was from this release. */
  new_groups: count,
  /** Resolved error groups that an event of the release opened again. */
  regressed_groups: count,
  /**
   * Resolved error groups whose resolution names the release, or names none and was made while it was the latest one. Groups that
   * were last seen in the release do not count.
   */
  resolved_groups: count,
  health: releaseHealthAnswer,
  /** The environments of its sessions in the last 90 days, those with most sessions first. */
  environments: z.array(z.string()).max(MAX_HEALTH_ENVIRONMENTS),
  created_at: moment,
});

export type Release = z.infer<typeof releaseAnswer>;

const groups = z.array(errorGroupListItemAnswer).max(MAX_RELEASE_GROUPS);

export const releaseDetailAnswer = releaseAnswer.extend({
  /** Null if the release has no sessions. */
  comparison: releaseComparisonAnswer.nullable(),
  /** The groups counted by `new_groups`, most recently seen first. Groups deleted since then are not listed. */
  introduced: groups,
  /** Those counted by `regressed_groups`. */
  regressed: groups,
  /** Those counted by `resolved_groups`. */
  resolved: groups,
});

export type ReleaseDetail = z.infer<typeof releaseDetailAnswer>;

/** Any name that an event may have: unlike in other requests, of any length and of several lines. */
export const releaseQuery = z.object({
  version: z.string({
    error: ({ input }) => (input === undefined ? "is required" : "must be given only once"),
  }),
});

/** The fix to look for: of errors, or of an issue without errors that was closed at this time. */
export const fixReleaseQuery = z.object({
  error_group_ids: idsFilter,
  closed_at: filterOf("must be an ISO 8601 timestamp", (value) =>
    timestamp.safeParse(value).success ? value : undefined,
  ),
});

/** Both are null until the fix is released. */
export const fixReleaseAnswer = z.strictObject({
  version: z.string().nullable(),
  first_seen_at: moment.nullable(),
});

export type FixRelease = z.infer<typeof fixReleaseAnswer>;

/** A day on which the project got releases without an error. */
export const dayWithoutErrorAnswer = z.strictObject({
  day,
  releases_count: z.int().positive(),
  /** The latest ones of the day. */
  versions: z.array(z.string()).min(1).max(MAX_NAMED_RELEASES),
});

export type DayWithoutError = z.infer<typeof dayWithoutErrorAnswer>;

const release: Release = {
  id: 21,
  project_id: 5,
  version: "4.2.1",
  first_seen_at: AT,
  deploys: [
    {
      environment: "production",
      deployed_at: LATER,
      commit: "9f2c1e7",
      url: "https://ci.example.com/runs/8841",
    },
  ],
  events: 1_204,
  new_groups: 2,
  regressed_groups: 1,
  resolved_groups: 3,
  health: exampleHealth,
  environments: ["production", "staging"],
  created_at: AT,
};

/** Examples for the API reference. */
export const releaseExamples = {
  Release: { schema: releaseAnswer, example: release },
  ReleaseDetail: {
    schema: releaseDetailAnswer,
    example: {
      ...release,
      comparison: exampleComparison,
      introduced: [errorGroupExamples.ErrorGroupListItem.example],
      regressed: [],
      resolved: [],
    },
  },
  FixRelease: { schema: fixReleaseAnswer, example: { version: "4.2.1", first_seen_at: AT } },
  DayWithoutError: {
    schema: dayWithoutErrorAnswer,
    example: { day: AT.slice(0, 10), releases_count: 2, versions: ["4.2.1", "4.2.2"] },
  },
  DeployBody: {
    schema: deployBody,
    example: { version: "4.2.1", environment: "production", commit: "9f2c1e7" },
  },
};
