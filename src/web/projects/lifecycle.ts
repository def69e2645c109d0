import type { Project } from "../../shared/projects.ts";

export type LifecycleSetting = Exclude<keyof Project["lifecycle"], "ship_tells_reporters">;

/** The settings of a project that link its issues and errors. */
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
];
