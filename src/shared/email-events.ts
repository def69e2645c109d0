import type { Preference } from "./people.ts";

/** What each preference for emails covers, as the preferences page and the emails name it. */
export const EMAIL_EVENTS = {
  notify_mentions: "Mentions",
  notify_assignment: "Assignments",
  notify_watched_activity_email: "Watched work",
  notify_report_activity_email: "New reports",
  notify_error_activity_email: "Errors",
  notify_project_membership: "Projects",
  notify_team_membership: "Teams",
} as const satisfies Partial<Record<Preference, string>>;
