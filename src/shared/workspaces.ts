import { z } from "zod";
import { boolean, line, mustBe, optional } from "./text.ts";

/** The contract of workspaces, their members and roles (platform.md). */

const features = z.object(
  { reports: optional(boolean), error_tracking: optional(boolean) },
  mustBe("an object"),
);

export const workspaceBody = z.object({ name: line(100), features: optional(features) });

export const workspaceChanges = z.object({ name: optional(line(100)), features: optional(features) });

export type Features = { reports: boolean; error_tracking: boolean };

export type Workspace = {
  id: number;
  name: string;
  features: Features;
  /** Whether the caller administers it. */
  is_admin: boolean;
  created_at: string;
  updated_at: string;
};

export const workspaceMemberChanges = z.object({ is_admin: optional(boolean) });

export type WorkspaceMember = {
  user_id: number;
  username: string;
  first_name: string;
  last_name: string;
  profile_picture: { avif: string; webp: string } | null;
  is_admin: boolean;
};

export type Role = { id: number; name: string; permissions: string[]; built_in: boolean };
