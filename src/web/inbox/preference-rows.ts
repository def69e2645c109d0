import type { Preference } from "../../shared/people.ts";

type Event = {
  label: string;
  /** What it is, in one line. */
  hint: string;
  /** The switch of its mails. */
  email: Preference;
  /** Whether the inbox tells of it: always, or not at all. */
  inbox: boolean;
};

/** What one can be told of (service.md 6, rules 3 and 4). */
export const EVENTS: readonly Event[] = [
  {
    label: "Mentions",
    hint: "Somebody writes your @name in a comment.",
    email: "notify_mentions",
    inbox: true,
  },
  {
    label: "Assignment",
    hint: "An issue is given to you, or taken from you.",
    email: "notify_assignment",
    inbox: true,
  },
  {
    label: "Issues you watch",
    hint: "Comments and lane changes, and replies to your comments.",
    email: "notify_watched_activity_email",
    inbox: true,
  },
  {
    label: "New reports",
    hint: "In projects whose reports you watch.",
    email: "notify_report_activity_email",
    inbox: true,
  },
  {
    label: "New errors",
    hint: "An error is seen for the first time in a project you watch. Listed under Errors.",
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

/** When an issue is watched without asking (rule 2). */
export const WATCHES: readonly { label: string; hint: string; preference: Preference }[] = [
  {
    label: "Issues I create",
    hint: "You are told what becomes of them.",
    preference: "auto_watch_on_create",
  },
  {
    label: "Issues assigned to me",
    hint: "You go on watching them when somebody else takes over.",
    preference: "auto_watch_on_assigned",
  },
  {
    label: "Issues I comment on",
    hint: "You see what is answered. A mention alone does not make you watch.",
    preference: "auto_watch_on_commented",
  },
];
