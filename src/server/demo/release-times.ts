import type { ProjectTemplate } from "./samples/projects.ts";
import { DAY, HOUR } from "./times.ts";

/** When a release was deployed to staging, where it was seen first, and to production. */
export type ReleaseTime = { name: string; staged: number; since: number };

/** The project's releases, oldest first. There is one every two weeks. */
export const releaseTimes = ({ releases }: ProjectTemplate, now: number): ReleaseTime[] =>
  releases.map((name, index) => {
    const since = now - (releases.length - index) * 14 * DAY;
    return { name, staged: since - 20 * HOUR, since };
  });

/** The latest release that was seen by then. */
export const latestAt = (releases: ReleaseTime[], time: number): ReleaseTime | undefined =>
  releases.findLast(({ staged }) => staged <= time);
