import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Project } from "../../shared/projects.ts";
import { releaseAddress } from "./release-address.ts";

type Props = { project: Project; version: string; children?: ReactNode };

/** The name of a release, or other text about it, as a link to its page. */
export const ReleaseLink = ({ project, version, children = version }: Props) => (
  <Link {...releaseAddress(project.key, version)} className="rounded-sm hover:underline" title={version}>
    {children}
  </Link>
);
