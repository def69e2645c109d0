import { z } from "zod";
import { boolean, clearable, future, line, mustBe, optional } from "./text.ts";

/** The contract of project tokens (platform.md). */

const access = z.enum(["read", "read_write"], mustBe("read or read_write"));

export const projectTokenBody = z.object({
  name: line(100),
  access,
  active: optional(boolean),
  expires_at: optional(future),
});

/** `expires_at: null` lets it live on. */
export const projectTokenChanges = z.object({
  name: optional(line(100)),
  access: optional(access),
  active: optional(boolean),
  expires_at: clearable(future),
});

export type ProjectToken = {
  id: number;
  name: string;
  access: "read" | "read_write";
  active: boolean;
  last_four: string;
  /** Whose permissions it acts with. */
  created_by: number;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
};
