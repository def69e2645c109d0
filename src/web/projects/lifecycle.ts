import type { Project } from "../../shared/projects.ts";

export type LifecycleSetting = keyof Project["lifecycle"];

/** The settings of a project that link its reports, issues and errors. */
export const LIFECYCLE: readonly { setting: LifecycleSetting; label: string; hint: string }[] = [
  {
    setting: "close_resolves",
    label: "Closing an issue resolves its errors",
    hint: "In the next release. Reopening the issue opens them again.",
  },
  {
    setting: "regression_reopens",
    label: "A regression reopens the issue",
    hint: "If an error of a closed issue comes back, its assignee and watchers are notified.",
  },
  {
    setting: "ship_tells_reporters",
    label: "A release notifies the people who reported what it fixes",
    hint: "Once the issue of a report is done and released, the person who created the report is notified. Only people with an account here are; reporters outside the team are not.",
  },
];
