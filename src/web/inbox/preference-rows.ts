import type { Preference } from "../../shared/people.ts";

type Event = {
  label: string;
  /** One line. */
  hint: string;
  /** The preference for emails. */
  email: Preference;
  /** Whether it always or never appears in the inbox. */
  inbox: boolean;
};

/** The events that cause notifications. */
export const EVENTS: readonly Event[] = [
  {
    label: "Mentions",
    hint: "Someone mentions your @name in a comment.",
    email: "notify_mentions",
    inbox: true,
  },
  {
    label: "Assignments",
    hint: "An issue is assigned to you, or no longer assigned to you.",
    email: "notify_assignment",
    inbox: true,
  },
  {
    label: "Issues you watch",
    hint: "Comments, lane changes, and replies to your comments.",
    email: "notify_watched_activity_email",
    inbox: true,
  },
  {
    label: "New reports",
    hint: "New reports in projects whose reports you watch.",
    email: "notify_report_activity_email",
    inbox: true,
  },
  {
    label: "New errors",
    hint: "An error occurs for the first time in a project you watch. It is listed under Errors.",
    email: "notify_error_activity_email",
    inbox: false,
  },
  {
    label: "Projects",
    hint: "You are added to a project.",
    email: "notify_project_membership",
    inbox: true,
  },
  {
    label: "Teams",
    hint: "You are added to a team.",
    email: "notify_team_membership",
    inbox: true,
  },
];

/** The actions that make the user watch an issue automatically. */
export const WATCHES: readonly { label: string; hint: string; preference: Preference }[] = [
  {
    label: "Issues I create",
    hint: "Get notified about their progress.",
    preference: "auto_watch_on_create",
  },
  {
    label: "Issues assigned to me",
    hint: "You keep watching them after they are reassigned.",
    preference: "auto_watch_on_assigned",
  },
  {
    label: "Issues I comment on",
    hint: "Get notified about replies. A mention alone does not make you watch an issue.",
    preference: "auto_watch_on_commented",
  },
];
