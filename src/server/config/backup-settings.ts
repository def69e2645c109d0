import path from "node:path";
import { fileURLToPath } from "node:url";
import type { z } from "zod";
import { storageUrl, type S3Settings, type StorageUrl } from "./storage-url.ts";

/** Where backups go: a folder or an S3-compatible store. */
export type BackupPlace = { folder: string } | S3Settings;

export type BackupSettings = {
  place: BackupPlace;
  /** undefined: only when the command is run. Runs are due every `periodSeconds`, `offsetSeconds` after midnight UTC. */
  schedule: { periodSeconds: number; offsetSeconds: number } | undefined;
  /** The number of backups to keep. */
  keep: number;
};

/** `s3://…` like STORAGE_URL, or the absolute path or file:// address of a folder. */
export function backupUrl(value: string, context: z.RefinementCtx): { folder: string } | StorageUrl {
  if (value.startsWith("s3://")) return storageUrl(value, context);
  if (path.isAbsolute(value)) return { folder: path.normalize(value) };
  try {
    return { folder: fileURLToPath(value) };
  } catch {
    context.addIssue({
      code: "custom",
      message:
        "must be the absolute path of a folder, such as /backups, or an address such as s3://bucket/folder",
    });
    return { folder: "" };
  }
}

const HOUR = 3_600;

/** `03:30` is daily at that time in UTC; `every 6 hours` starts at midnight UTC. */
export function backupSchedule(value: string, context: z.RefinementCtx): BackupSettings["schedule"] {
  const [, hour, minute] = /^([01][0-9]|2[0-3]):([0-5][0-9])$/.exec(value) ?? [];
  if (hour !== undefined && minute !== undefined)
    return { periodSeconds: 24 * HOUR, offsetSeconds: Number(hour) * HOUR + Number(minute) * 60 };
  const [, hours] = /^every (1|2|3|4|6|8|12) hours?$/.exec(value) ?? [];
  if (hours !== undefined) return { periodSeconds: Number(hours) * HOUR, offsetSeconds: 0 };
  context.addIssue({
    code: "custom",
    message:
      "must be a time of day in UTC, such as 03:30, or every 1, 2, 3, 4, 6, 8 or 12 hours, such as every 6 hours",
  });
  return undefined;
}
