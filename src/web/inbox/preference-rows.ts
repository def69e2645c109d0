import { EMAIL_EVENTS } from "../../shared/email-events.ts";
import type { Preference } from "../../shared/people.ts";

type EmailPreference = keyof typeof EMAIL_EVENTS;

/** The events that cause notifications, each with its preference for emails. */
const HINTS: Record<EmailPreference, string> = {
  notify_mentions: "Someone mentions your @name in a comment, also on an error or report.",
  notify_assignment: "An issue is assigned to you, or no longer assigned to you.",
  notify_watched_activity_email:
    "Comments and replies on issues, errors and reports, lane changes, issues that an error reopens, and reports of yours that are done.",
  notify_report_activity_email: "New reports in projects whose reports you watch.",
  notify_error_activity_email:
    "Errors that are assigned to you; regressions, spikes and ended snoozes of errors you watch; your fixes that are verified; new and spiking errors in projects whose reports you watch. At most one email per project in ten minutes.",
  notify_project_membership: "You are added to a project.",
  notify_team_membership: "You are added to a team.",
};

export const EVENTS: readonly { label: string; hint: string; email: EmailPreference }[] = (
  Object.keys(EMAIL_EVENTS) as EmailPreference[]
).map((email) => ({ label: EMAIL_EVENTS[email], hint: HINTS[email], email }));

/** The actions that make the user watch an issue or error automatically. */
export const WATCHES: readonly { label: string; hint: string; preference: Preference }[] = [
  {
    label: "Issues I create",
    hint: "Get notified about their progress.",
    preference: "auto_watch_on_create",
  },
  {
    label: "Issues and errors assigned to me",
    hint: "Also errors that you resolve. You keep watching them after they are reassigned.",
    preference: "auto_watch_on_assigned",
  },
  {
    label: "Issues and errors I comment on",
    hint: "Get notified about replies. A mention alone does not make you watch anything.",
    preference: "auto_watch_on_commented",
  },
];
