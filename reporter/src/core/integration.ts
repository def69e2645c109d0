import { type AnyReporter, currentReporter } from "./current.ts";

/** What every integration takes; `Subject` is its request or job. */
export interface IntegrationOptions<Subject> {
  /** Default the one that `init` made, looked up when an error comes. */
  reporter?: AnyReporter | undefined;
  /** The signed-in user of a request, or the user a job works for. Only the HMAC of it is sent. */
  userId?: ((subject: Subject) => string | number | null | undefined) | undefined;
}

export function reporterOf(options: { reporter?: AnyReporter | undefined }): AnyReporter | undefined {
  return options.reporter ?? currentReporter();
}
