/** Where an error happened, by kind: a request's route, a queue's job, or a command (section 4.6). */
export type Context = RouteContext | JobContext | CommandContext;

export interface RouteContext {
  kind: "route";
  /** The route's own name, when the framework has names. */
  name?: string | undefined;
  method?: string | undefined;
  /** The pattern as declared (`/users/:id`), never the requested URL. */
  pattern?: string | undefined;
  /** The handler, such as `UsersController.show`. */
  action?: string | undefined;
  /** 100 to 599. */
  response_status?: number | undefined;
}

export interface JobContext {
  kind: "job";
  /** The job's class, or its name where it has no class. */
  name?: string | undefined;
  queue?: string | undefined;
  /** The attempt that failed; the first is 1. */
  attempt?: number | undefined;
}

export interface CommandContext {
  kind: "command";
  name?: string | undefined;
  class?: string | undefined;
}

/** A name with a version, for the runtime and the framework. */
export interface NamedVersion {
  name?: string | undefined;
  version?: string | undefined;
}

export interface PreviousException {
  exception_class: string;
  message: string;
  stack_trace: string;
}

/** The body of one error event, as the server reads it (section 4.6). */
export interface ErrorEventBody extends PreviousException {
  environment: string;
  release?: string | undefined;
  /** Outermost cause first, at most 10. */
  previous_exceptions?: PreviousException[] | undefined;
  exception_code?: string | undefined;
  runtime?: NamedVersion | undefined;
  framework?: NamedVersion | undefined;
  memory_peak_bytes?: number | undefined;
  memory_limit_bytes?: number | undefined;
  context?: Context | undefined;
  host?: string | undefined;
  /** HMAC-SHA256 of the user's id as 64 lowercase hex characters. */
  user_hash?: string | undefined;
}

/** One event on its way. */
export interface Pending {
  event: ErrorEventBody;
  /** Its key in the platform's store, once it is kept there. */
  key?: string | undefined;
  sending?: boolean;
  /** Answers of 5xx so far: the event itself may be the reason. */
  failures: number;
  /** Whether it was cut down for a server that refused it whole. */
  reduced?: boolean;
}
