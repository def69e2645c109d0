import { cx } from "../kit/cx.ts";

const TONES: Record<string, string> = {
  GET: "text-open",
  POST: "text-resolved",
  PUT: "text-warn",
  PATCH: "text-warn",
  DELETE: "text-danger",
};

/** An HTTP method, in a column of the same width everywhere. */
export function Method({ name }: { name: string }) {
  return <code className={cx("w-12 shrink-0 text-xs font-semibold", TONES[name])}>{name}</code>;
}
