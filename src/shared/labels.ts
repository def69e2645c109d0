import { z } from "zod";
import { line, mustBe, optional } from "./text.ts";

/** The contract of labels (platform.md). */

const name = line(100);
const color = z
  .string(mustBe("a string"))
  .regex(/^#[0-9a-fA-F]{6}$/, "must be a colour such as #1f6feb")
  .transform((value) => value.toLowerCase());

export const labelBody = z.object({ name, color });

export const labelChanges = z.object({ name: optional(name), color: optional(color) });

export type Label = { id: number; project_id: number; name: string; color: string; created_at: string };
