import type { Preference } from "../../shared/people.ts";

type Event = {
  label: string;
  hint: string;
  /** The preference for emails. */
  email: Preference;
};

/** The events that cause notifications. */
export const EVENTS: readonly Event[] = [
  {
    label: "Mentions",
    hint: "Someone mentions your @name in a comment.",
    email: "notify_mentions",
  },
  {
    label: "Assignments",
    hint: "An issue is assigned to you, or no longer assigned to you.",
    email: "notify_assignment",
  },
  {
    label: "Issues you watch",
    hint: "Comments, lane changes, replies to your comments, and issues that an error reopens.",
    email: "notify_watched_activity_email",
  },
  {
    label: "New reports",
    hint: "New reports in projects whose reports you watch.",
    email: "notify_report_activity_email",
  },
  {
    label: "Errors",
    hint: "New, assigned, regressed and spiking errors, ended snoozes and verified fixes. At most one email per project in ten minutes.",
    email: "notify_error_activity_email",
  },
  {
    label: "Projects",
    hint: "You are added to a project.",
    email: "notify_project_membership",
  },
  {
    label: "Teams",
    hint: "You are added to a team.",
    email: "notify_team_membership",
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
