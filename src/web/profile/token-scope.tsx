import type { PersonalToken } from "../../shared/personal-tokens.ts";
import { useProjects } from "../data/projects/projects.ts";
import { describeScopes } from "./token-scopes.ts";

/** What a limited token may do, and where. Projects that the person can no longer access have no name here. */
export function TokenScope({ token: { scopes, project_ids } }: { token: PersonalToken }) {
  const names = new Map(useProjects().map(({ id, name }) => [id, name]));
  const projects = (project_ids ?? []).map((id) => names.get(id) ?? "a project without access");
  return (
    <span className="block">
      {describeScopes(scopes ?? [])} · in {projects.join(", ")}
    </span>
  );
}
