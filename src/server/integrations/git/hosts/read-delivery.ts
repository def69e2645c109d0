import type { GitHost } from "../../../../shared/git.ts";
import type { GitEvent } from "./git-event.ts";
import { GITEA_READERS } from "./read-gitea.ts";
import { GITHUB_READERS } from "./read-github.ts";
import { GITLAB_READERS } from "./read-gitlab.ts";

const READERS = { github: GITHUB_READERS, gitlab: GITLAB_READERS, gitea: GITEA_READERS };

/** Whether deliveries of this event are processed. */
export const isKnownEvent = (host: GitHost, event: string): boolean => Object.hasOwn(READERS[host], event);

/** What the delivery says; undefined if it does not matter, such as a pushed tag. Throws if the payload lacks something. */
export const readDelivery = (host: GitHost, event: string, body: string): GitEvent | undefined =>
  READERS[host][event]?.(JSON.parse(body));
