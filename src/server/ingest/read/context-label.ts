/** The fields of an event's context that appear in its label. */
type LabeledContext =
  | { kind: "route"; method?: string | null | undefined; pattern?: string | null | undefined }
  | { kind: "job"; name?: string | null | undefined }
  | { kind: "command"; name?: string | null | undefined };

/**
 * A one-line label for where an event happened: `GET /users/{id}` for a route, the class without its namespace for a job,
 * the name for a command. Missing fields are left out, so a context that consists only of its kind has an empty label.
 */
export function contextLabel(context: LabeledContext): string {
  if (context.kind === "command") return context.name ?? "";
  if (context.kind === "job") {
    const name = context.name ?? "";
    return name.slice(name.lastIndexOf("\\") + 1);
  }
  // Empty strings count as not sent.
  return [context.method, context.pattern].filter(Boolean).join(" ");
}
