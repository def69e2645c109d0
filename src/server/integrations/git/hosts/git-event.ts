import { z } from "zod";

/** What deliveries of all hosts have in common. */
export type GitEvent = Push | RequestChange | Check;

export type PushedCommit = {
  hash: string;
  message: string;
  url: string;
  author_name: string | null;
  author_email: string | null;
  files: string[];
  created_at: string;
};

export type Push = {
  kind: "push";
  repository: string;
  isDefaultBranch: boolean;
  /** The branch's head before and after the push. */
  before: string;
  after: string;
  /** Oldest first. */
  commits: PushedCommit[];
};

export type RequestState = "open" | "draft" | "merged" | "closed";

/** A reviewer's review; `state` is null if it was withdrawn or only comments. */
export type Review = { reviewer: string; state: "approved" | "changes_requested" | null; at: string };

export type RequestChange = {
  kind: "request";
  repository: string;
  ref: string;
  title: string;
  description: string;
  url: string;
  author_name: string | null;
  state: RequestState;
  /** Whether the delivery says that it was opened, or opened again. */
  isOpened: boolean;
  isIntoDefaultBranch: boolean;
  head_hash: string;
  merge_hash: string | null;
  is_review_requested: boolean;
  reviews: Review[];
  created_at: string;
  changed_at: string;
};

export type CheckState = "pending" | "passing" | "failing";

export type Check = {
  kind: "check";
  repository: string;
  hash: string;
  name: string;
  run: number;
  changed_at: string | null;
  state: CheckState;
};

const MAX_NAME = 255;
const MAX_URL = 2_000;
const MAX_FILE = 1_000;
const MAX_FILES = 3_000;

/** Longer messages are cut. */
const MAX_MESSAGE = 100_000;

/** Text as the database can store it, cut to a length. */
const textUpTo = (max: number) =>
  z.string().transform((value) => value.slice(0, max).replaceAll("\0", "\uFFFD").toWellFormed());

export const shortText = textUpTo(MAX_NAME);
export const longText = textUpTo(MAX_MESSAGE);
export const optionalText = shortText.nullish().transform((value) => value || null);
export const url = textUpTo(MAX_URL).refine((value) => /^https?:\/\//i.test(value), "must be a web address");
export const hash = z
  .string()
  .regex(/^[0-9a-f]{40,64}$/i, "must be the hash of a commit")
  .transform((value) => value.toLowerCase());
export const optionalHash = z
  .string()
  .nullish()
  .transform((value) => (value && hash.safeParse(value).data) || null);

/** ISO 8601, or `2026-11-20 10:15:00 UTC` as GitLab writes it. */
export const moment = z
  .string()
  .refine((value) => !Number.isNaN(Date.parse(value)), "must be a time")
  .transform((value) => new Date(value).toISOString());

const files = z
  .array(textUpTo(MAX_FILE))
  .nullish()
  .transform((value) => value ?? []);

/** All hosts list pushed commits in the same form. */
export const pushedCommits = z
  .array(
    z
      .object({
        id: hash,
        message: longText,
        url,
        timestamp: moment,
        author: z.object({ name: optionalText, email: optionalText }).nullish(),
        added: files,
        modified: files,
        removed: files,
      })
      .transform(({ id, author, added, modified, removed, timestamp, ...rest }): PushedCommit => ({
        hash: id,
        ...rest,
        author_name: author?.name ?? null,
        author_email: author?.email ?? null,
        files: [...new Set([...added, ...modified, ...removed])].slice(0, MAX_FILES),
        created_at: timestamp,
      })),
  )
  .nullish()
  .transform((value) => value ?? []);

/** The branch of `refs/heads/main`; undefined for a tag. */
export const branchOf = (ref: string): string | undefined => /^refs\/heads\/(.+)$/s.exec(ref)?.[1];

/** Gitea lists the newest commit first, the others the oldest. */
export const oldestFirst = (commits: PushedCommit[], after: string): PushedCommit[] =>
  commits.at(-1)?.hash !== after && commits[0]?.hash === after ? commits.toReversed() : commits;

const FAILURES = new Set([
  "failure",
  "failed",
  "error",
  "timed_out",
  "cancelled",
  "canceled",
  "action_required",
  "startup_failure",
]);
const SUCCESSES = new Set(["success", "warning", "neutral", "skipped", "stale"]);

/** The state of a check by the host's word for its result, or for its progress. */
export function checkState(word: string | null | undefined): CheckState {
  if (word !== null && word !== undefined && FAILURES.has(word)) return "failing";
  return word !== null && word !== undefined && SUCCESSES.has(word) ? "passing" : "pending";
}
