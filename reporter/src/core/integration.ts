import { type AnyReporter, currentReporter } from "./current.ts";

/** Options of every integration; `Subject` is its request or job. */
export interface IntegrationOptions<Subject> {
  /** Default: the reporter that `init` created, looked up when an error occurs. */
  reporter?: AnyReporter | undefined;
  /** Returns the id of the signed-in user, or of the user a job works for. Only its HMAC is sent. */
  userId?: ((subject: Subject) => string | number | null | undefined) | undefined;
}

export function reporterOf(options: { reporter?: AnyReporter | undefined }): AnyReporter | undefined {
  return options.reporter ?? currentReporter();
}
