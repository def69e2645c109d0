/** What inbound rules look at, as it was sent. */
export type EventFacts = {
  exception_class: string;
  message: string;
  release: string | null;
  environment: string;
  /** Of the browser in which the error occurred, or that sent the request that failed. */
  userAgent: string | null;
  /** The file in which the error occurred, which may be a URL. */
  file: string | null;
  /** Addresses of the page, and the origin from which it sent the event. */
  addresses: readonly string[];
};
