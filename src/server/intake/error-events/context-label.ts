/** The parts of an event's context that its label is made of; an absent field is null or left out. */
type LabelledContext =
  | { kind: "route"; method?: string | null | undefined; pattern?: string | null | undefined }
  | { kind: "job"; name?: string | null | undefined }
  | { kind: "command"; name?: string | null | undefined };

/**
 * The one-line label of where an event happened (service specification, 2.8): `GET /users/{id}` for a route, the
 * class without its namespace for a job, the name for a command. A field the context left out is left out of the
 * label, so a context with only its kind has an empty one.
 */
export function contextLabel(context: LabelledContext): string {
  if (context.kind === "command") return context.name ?? "";
  if (context.kind === "job") {
    const name = context.name ?? "";
    return name.slice(name.lastIndexOf("\\") + 1);
  }
  // An empty text counts as not sent, so it must not leave a stray blank either.
  return [context.method, context.pattern].filter(Boolean).join(" ");
}
