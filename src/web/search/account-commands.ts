import { useNavigate } from "@tanstack/react-router";
import { useChangeProfile } from "../data/account/account.ts";
import { useWorkspaces } from "../data/projects/projects.ts";
import { useSignOut } from "../data/sign-out.ts";
import type { Command } from "../keys/commands.ts";
import { applyDensity, DENSITIES, useDensity } from "../kit/density.ts";
import { applyTheme, type Theme } from "../kit/theme.ts";

const THEMES: readonly [Theme, string][] = [
  ["light", "Use the light theme"],
  ["dark", "Use the dark theme"],
  ["system", "Use the system theme"],
];

/** What concerns the user rather than the page. It is at the end of the palette. */
export function useAccountCommands(): Command[] {
  const change = useChangeProfile("/api/profile");
  const signOut = useSignOut();
  const density = useDensity();
  const navigate = useNavigate();
  const workspaces = useWorkspaces();
  return [
    ...THEMES.map(([theme, label]) => ({
      id: `theme-${theme}`,
      label,
      keys: undefined,
      group: "Theme",
      run: () => {
        applyTheme(theme);
        change.mutate({ theme });
      },
    })),
    ...DENSITIES.filter(({ value }) => value !== density).map(({ value, label }) => ({
      id: `density-${value}`,
      label: `Use ${label.toLowerCase()} rows`,
      keys: undefined,
      group: "Theme",
      run: () => applyDensity(value),
    })),
    ...workspaces.map(({ id, name }) => ({
      id: `workspace-${id}`,
      label: workspaces.length > 1 ? `${name} settings` : "Workspace settings",
      keys: undefined,
      group: "Account",
      run: () =>
        void navigate({ to: "/workspaces/$workspaceId/settings", params: { workspaceId: String(id) } }),
    })),
    ...workspaces
      .filter(({ is_admin }) => is_admin)
      .map(({ id, name }) => ({
        id: `invite-${id}`,
        label: workspaces.length > 1 ? `Invite people to ${name}` : "Invite people",
        keys: undefined,
        group: "Account",
        run: () =>
          void navigate({
            to: "/workspaces/$workspaceId/settings",
            params: { workspaceId: String(id) },
            search: { section: "invitations" },
          }),
      })),
    {
      id: "reference",
      label: "API reference",
      keys: undefined,
      group: "Account",
      run: () => void window.open("/reference", "_blank", "noopener"),
    },
    { id: "sign-out", label: "Sign out", keys: undefined, group: "Account", run: () => signOut.mutate() },
  ];
}
