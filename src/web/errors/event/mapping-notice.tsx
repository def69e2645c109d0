import { Link } from "@tanstack/react-router";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import type { Project } from "../../../shared/projects.ts";
import { releaseAddress } from "../../page/release-address.ts";
import { summarizeMapping } from "../../data/errors/mapping-summary.ts";

type Props = { project: Project; frames: readonly KeptFrame[]; release: string | null };

/** Says how many frames have no original code and why, with a link to the source maps of the release. */
export function MappingNotice({ project, frames, release }: Props) {
  const summary = summarizeMapping(frames);
  if (summary === null) return null;
  return (
    <p className="rounded-md border border-line bg-sunken px-3 py-2 text-sm wrap-anywhere text-text-2">
      {summary}{" "}
      {release !== null && (
        <Link
          {...releaseAddress(project.key, release)}
          hash="source-maps"
          className="text-accent-text underline"
        >
          Source maps of {release}
        </Link>
      )}
    </p>
  );
}
