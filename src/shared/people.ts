import { z } from "zod";
import { moment, pictureAnswer } from "./answers.ts";
import { boolean, exceedsCodePoints, filledText, id, line, name, optional, text } from "./text.ts";
import { AT, PASSWORD, lin } from "./example-values.ts";

/** Schemas for setup, sign-in and the profile. */

export const email = line(254).refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), "must be an email address");

/** Also the name that an @mention uses. */
export const username = line(40).refine(
  (value) => /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(value),
  "must consist of letters and digits, with . _ - only between them",
);

export const password = text(1000)
  .refine((value) => exceedsCodePoints(value, 9), { error: "must have at least 10 characters", abort: true })
  .refine((value) => value.trim() !== "", "must not be blank");

/** A password to check, not to set. It has no rules: the stored password may be older than today's rules. */
export const passwordToCheck = text(1000);

const timeZone = line(64).refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin");

function isTimeZone(value: string): boolean {
  // Offsets such as +02:00 are accepted by Intl, but they do not follow daylight saving time.
  if (/^[+-]/.test(value)) return false;
  try {
    Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

export const person = { first_name: name(100), last_name: name(100), username, email };

export const setupBody = z.object({
  setup_token: line(200),
  workspace_name: name(100),
  ...person,
  password,
});

export const sessionBody = z.object({ email: filledText(254), password: passwordToCheck });

const THEMES = ["system", "light", "dark"] as const;

/** Maximum size of an uploaded profile picture. */
export const MAX_PICTURE_BYTES = 10 * 1_048_576;

/** Changing the email address also requires the current password. */
export const profileBody = z.object({
  username: optional(username),
  email: optional(email),
  current_password: optional(passwordToCheck),
  first_name: optional(person.first_name),
  last_name: optional(person.last_name),
  time_zone: optional(timeZone),
  theme: optional(z.enum(THEMES, { error: `must be one of ${THEMES.join(", ")}` })),
  single_keys: optional(boolean),
});

/** `token`: from the link in the email. */
export const confirmAddressBody = z.object({ token: filledText(200) });

/** Boolean notification preferences. All default to true. */
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

export const profileAnswer = z.strictObject({
  id,
  username: z.string(),
  email: z.string(),
  /** Whether the user has confirmed the address. Nothing but a link to confirm it, or to reset the password, is sent to others. */
  email_verified: z.boolean(),
  /** The address that replaces `email` once the user opens the link that was sent to it. */
  pending_email: z.string().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  profile_picture: pictureAnswer,
  time_zone: z.string(),
  theme: z.enum(THEMES),
  /** Whether keyboard shortcuts of a single key are enabled. */
  single_keys: z.boolean(),
  is_admin: z.boolean(),
  /** Without one, changes to how one signs in take no `current_password`. */
  has_password: z.boolean(),
  created_at: moment,
  ...(Object.fromEntries(PREFERENCES.map((preference) => [preference, z.boolean()])) as Record<
    Preference,
    z.ZodBoolean
  >),
});

export type Profile = z.infer<typeof profileAnswer>;

/** `required`: no user exists yet. */
export const setupAnswer = z.strictObject({ required: z.boolean() });

/** Examples for the API reference. */
export const profileExamples = {
  Profile: {
    schema: profileAnswer,
    example: {
      id: 3,
      username: "ada",
      email: "ada@example.com",
      email_verified: true,
      pending_email: null,
      first_name: "Ada",
      last_name: "Moss",
      profile_picture: null,
      time_zone: "Europe/Berlin",
      theme: "system",
      single_keys: true,
      is_admin: true,
      has_password: true,
      created_at: AT,
      ...Object.fromEntries(PREFERENCES.map((preference) => [preference, true])),
    },
  },
  SetupBody: {
    schema: setupBody,
    example: {
      setup_token: "printed in the log on first start",
      workspace_name: "Acme",
      ...lin,
      email: "lin@example.com",
      password: PASSWORD,
    },
  },
  ConfirmAddressBody: {
    schema: confirmAddressBody,
    example: { token: "from the link in the email" },
  },
  ProfileBody: { schema: profileBody, example: { time_zone: "Europe/Berlin", theme: "dark" } },
};
