import type { Project } from "../../shared/projects.ts";

export type LifecycleSetting = keyof Project["lifecycle"];

/** The settings of a project that link its reports, issues and errors. */
export const LIFECYCLE: readonly { setting: LifecycleSetting; label: string; hint: string }[] = [
  {
    setting: "close_resolves",
    label: "Closing an issue resolves its errors",
    hint: "They count as fixed in the next release. Reopening the issue reopens them.",
  },
  {
    setting: "regression_reopens",
    label: "A regression reopens its issue",
    hint: "If an error linked to a closed issue comes back, the issue’s assignee and watchers are notified.",
  },
  {
    setting: "ship_tells_reporters",
    label: "A release notifies the people who reported what it fixes",
    hint: "When the fix for a report is released, whoever created the report is notified. This works only for people with an account.",
  },
];
