import { z } from "zod";
import { boolean, clearable, id, line, optional, text } from "./text.ts";
import type { Features } from "./workspaces.ts";

/** The contract of projects and their members (platform.md). */

/** Begins an issue's key: `WEB-12`. */
const projectKey = line(10).refine(
  (value) => /^[A-Z][A-Z0-9]{1,9}$/.test(value),
  "must be 2 to 10 characters of A–Z and 0–9 and begin with a letter",
);

const name = line(100);
const description = text(65_535);

export const projectBody = z.object({
  /** May be left out by somebody who belongs to one workspace. */
  workspace_id: optional(id),
  key: projectKey,
  name,
  description: optional(description),
});

/** The key stays: it is part of every issue's name, in commits and in mails. */
export const projectChanges = z.object({ name: optional(name), description: clearable(description) });

export type Project = {
  id: number;
  workspace_id: number;
  key: string;
  name: string;
  description: string | null;
  features: Features;
  /** The caller's. */
  is_owner: boolean;
  /** What the caller may do here; administrators and owners may do everything. */
  permissions: string[];
  created_at: string;
  updated_at: string;
};

export const projectMemberBody = z.object({ user_id: id, role_id: id, is_owner: optional(boolean) });

export const projectMemberChanges = z.object({ role_id: optional(id), is_owner: optional(boolean) });

export type ProjectMember = {
  user_id: number;
  username: string;
  first_name: string;
  last_name: string;
  profile_picture: { avif: string; webp: string } | null;
  /** Administrator of the workspace. */
  is_admin: boolean;
  role_id: number;
  is_owner: boolean;
};
