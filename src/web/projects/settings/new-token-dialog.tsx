import type { Project } from "../../../shared/projects.ts";
import type { ProjectToken } from "../../../shared/project-tokens.ts";
import { projectTokens } from "../../data/projects/project-parts.ts";
import { TokenForm } from "../../forms/token-form.tsx";

export const ACCESSES = [
  { value: "read_write", label: "Read & write", hint: "Can send and read errors and reports." },
  { value: "read", label: "Read", hint: "Can read reports, attachments and error groups." },
] as const;

/** Creates a project token. */
export function NewTokenDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  return (
    <TokenForm<ProjectToken["access"]>
      title="New token"
      accesses={ACCESSES}
      accessField="access"
      start={{ access: "read_write", lifetime: "never" }}
      send={(token) => projectTokens.add<{ token: string }>(project.id, token)}
      stale={[["token", project.id]]}
      warning="Not for web pages: everyone who opens one can read it. Use an ingest key there."
      onClose={onClose}
    />
  );
}
