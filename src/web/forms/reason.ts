import { ApiError, messageOf } from "../api/client.ts";

/** Why something was refused, in a sentence: of a field's error the words alone, without the name of the field. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error);
  const [field] = Object.keys(error.errors);
  return (field !== undefined && error.of(field)) || error.message;
}
