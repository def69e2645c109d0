import { parseTrace } from "../../../shared/stack-trace/parse-trace.ts";
import { topFrames } from "../../../shared/stack-trace/top-frames.ts";

/** The files of the app's own frames, without duplicates. */
export function appFiles(stackTrace: string): string[] {
  const files = parseTrace(stackTrace).entries.flatMap((entry) =>
    entry.kind === "frame" && entry.in_app && entry.file !== null ? [entry.file] : [],
  );
  return [...new Set(files)];
}

/** The file of the app's own frame closest to the error; null if there is none. */
export function topAppFile(stackTrace: string): string | null {
  return topFrames(stackTrace).find(({ in_app }) => in_app)?.file ?? null;
}

/** The folders and the name of a file as an app reports it: `app:///src/cart.ts?v=2` has the segments `src` and `cart.ts`. */
export function pathSegments(file: string): string[] {
  return file
    .replace(/[?#].*$/s, "")
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "")
    .split(/[/\\]/)
    .filter((segment) => segment !== "" && segment !== "." && segment !== "..");
}
