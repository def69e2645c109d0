import { ApiError, messageOf } from "../api/client.ts";

/** A sentence that says why a request was rejected. For a field's error, its message without the field's name. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error);
  const [field] = Object.keys(error.errors);
  return (field !== undefined && error.messageFor(field)) || error.message;
}
