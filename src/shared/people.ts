import { z } from "zod";
import { boolean, exceedsCodePoints, filledText, future, line, optional, text } from "./text.ts";

/** The contract of set-up, sign-in, profile and personal tokens (platform.md). */

export const email = line(254).refine(
  (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  "must be an e-mail address",
);

/** What an @mention can name. */
export const username = line(40).refine(
  (value) => /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(value),
  "must be letters, digits and . _ - inside",
);

export const password = text(1000).refine(
  (value) => exceedsCodePoints(value, 9),
  "must have at least 10 characters",
);

/** Asked to prove who somebody is: no rule for its shape, or an old password could not be told. */
const givenPassword = text(1000);

export const timeZone = line(64).refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin");

function isTimeZone(value: string): boolean {
  try {
    Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

export const person = { first_name: line(100), last_name: line(100), username, email };

export const setupBody = z.object({
  setup_token: line(200),
  workspace_name: line(100),
  ...person,
  password,
});

export const sessionBody = z.object({ email: filledText(254), password: givenPassword });

export const profileBody = z.object({
  username: optional(username),
  email: optional(email),
  first_name: optional(person.first_name),
  last_name: optional(person.last_name),
  time_zone: optional(timeZone),
});

/** Questions with a yes or no, all of them yes at first (service.md 2.6). */
export const PREFERENCES = [
  "auto_watch_on_create",
  "auto_watch_on_assigned",
  "auto_watch_on_commented",
  "notify_mentions",
  "notify_assignment",
  "notify_project_membership",
  "notify_team_membership",
  "notify_watched_activity_email",
  "notify_report_activity_email",
  "notify_error_activity_email",
  "email_notifications_enabled",
] as const;

export type Preference = (typeof PREFERENCES)[number];

export type Profile = Record<Preference, boolean> & {
  id: number;
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  profile_picture: { avif: string; webp: string } | null;
  time_zone: string;
  is_admin: boolean;
  created_at: string;
};

export const personalTokenBody = z.object({
  name: line(100),
  write: optional(boolean),
  expires_at: optional(future),
});
