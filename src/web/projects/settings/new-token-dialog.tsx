import type { Project } from "../../../shared/projects.ts";
import type { ProjectToken } from "../../../shared/project-tokens.ts";
import { api } from "../../api/client.ts";
import { TokenForm } from "../../forms/token-form.tsx";

/** What a token may do. */
export const ACCESSES = [
  { value: "read_write", label: "Read & write", hint: "Sends errors and reports, and reads them." },
  { value: "read", label: "Read", hint: "Reads reports, attachments and error groups." },
] as const;

/** Makes a token of the project. */
export function NewTokenDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  return (
    <TokenForm<ProjectToken["access"]>
      title="New token"
      accesses={ACCESSES}
      accessField="access"
      start={{ access: "read_write", lifetime: "never" }}
      send={(token) => api.post(`/api/projects/${project.id}/tokens`, token)}
      stale={[["token", project.id]]}
      onClose={onClose}
    />
  );
}
