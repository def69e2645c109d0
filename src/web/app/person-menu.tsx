import { useNavigate } from "@tanstack/react-router";
import { CircleUser, Inbox, Plus, Settings } from "lucide-react";
import { nameOf } from "../data/projects/people.ts";
import { useWorkspaces } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { useSignOut } from "../data/sign-out.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Menu } from "../kit/menu.tsx";
import { openDialog } from "../page/open-dialog.ts";
import { ITEM, WIDE_ONLY } from "./sidebar-item.tsx";

/** Account, workspaces, help and signing out. */
export function PersonMenu() {
  const profile = useProfile();
  const workspaces = useWorkspaces();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const settings = workspaces.map((workspace) => ({
    label: workspaces.length > 1 ? `${workspace.name}: settings` : "Workspace settings",
    icon: <Settings size={16} />,
    onSelect: () =>
      void navigate({
        to: "/workspaces/$workspaceId/settings",
        params: { workspaceId: String(workspace.id) },
      }),
  }));
  return (
    <Menu
      label="Account and workspace"
      trigger={
        <button type="button" className={ITEM}>
          <Avatar person={profile} size={20} />
          <span dir="auto" className={`truncate ${WIDE_ONLY}`}>
            {nameOf(profile)}
          </span>
        </button>
      }
      items={[
        {
          label: "Profile and tokens",
          icon: <CircleUser size={16} />,
          onSelect: () => void navigate({ to: "/settings/profile" }),
        },
        {
          label: "Notification preferences",
          icon: <Inbox size={16} />,
          onSelect: () => void navigate({ to: "/settings/notifications" }),
        },
        ...settings,
        {
          label: "New project",
          icon: <Plus size={16} />,
          onSelect: () => openDialog({ kind: "new-project" }),
        },
        { label: "Keyboard shortcuts", shortcut: "?", onSelect: () => openDialog({ kind: "shortcuts" }) },
        { label: "API reference", onSelect: () => void window.open("/reference", "_blank", "noopener") },
        "separator",
        { label: "Sign out", onSelect: () => signOut.mutate() },
      ]}
    />
  );
}
