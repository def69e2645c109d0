/** The fields that inbound rules match, as they were sent. */
export type EventFacts = {
  exception_class: string;
  message: string;
  release: string | null;
  environment: string;
  /** Of the browser that the error occurred in, or that sent the failed request. */
  userAgent: string | null;
  /** The file that the error occurred in; may be a URL. */
  file: string | null;
  /** The addresses of the page, and the origin that it sent the event from. */
  addresses: readonly string[];
};
