import type { Features, Workspace } from "../../../shared/workspaces.ts";
import { changeWorkspace } from "./change-workspace.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import { workspacesQuery } from "./projects.ts";
import { useOptimistic } from "../cache/use-optimistic.ts";

/** Features that can be turned off for all projects of a workspace. */
export const useChangeFeatures = (workspace: Workspace) =>
  useOptimistic<Partial<Features>>({
    send: (features) => changeWorkspace(workspace.id, { features }),
    key: workspacesQuery.queryKey,
    patch: (client, changes) =>
      patchEverywhere(client, "workspace", workspace.id, ({ features }) => ({
        features: { ...features, ...changes },
      })),
    stale: [["project"]],
    failed: "The feature could not be changed",
  });
