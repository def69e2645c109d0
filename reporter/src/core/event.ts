/** Where an error happened: in a route, a background job or a command. */
export type Context = RouteContext | JobContext | CommandContext;

export interface RouteContext {
  kind: "route";
  /** The route's name, if the framework names routes. */
  name?: string | undefined;
  method?: string | undefined;
  /** The declared pattern (`/users/:id`), never the requested URL. */
  pattern?: string | undefined;
  /** The handler, such as `UsersController.show`. */
  action?: string | undefined;
  /** 100 to 599. */
  response_status?: number | undefined;
}

export interface JobContext {
  kind: "job";
  /** The job's class, or its name if it has no class. */
  name?: string | undefined;
  queue?: string | undefined;
  /** The attempt that failed, counted from 1. */
  attempt?: number | undefined;
}

export interface CommandContext {
  kind: "command";
  name?: string | undefined;
  class?: string | undefined;
}

/** A runtime or a framework. */
export interface NamedVersion {
  name?: string | undefined;
  version?: string | undefined;
}

export interface PreviousException {
  exception_class: string;
  message: string;
  stack_trace: string;
}

export type Level = "fatal" | "error" | "warning" | "info" | "debug";

/** Something that happened before an error. */
export interface Breadcrumb {
  /** When it happened, as an ISO date. */
  timestamp: string;
  /** What kind of thing: `console`, `fetch`, `navigation`, or your own. */
  category?: string | undefined;
  message?: string | undefined;
  /** Default "info". */
  level?: Level | undefined;
  data?: Record<string, unknown> | undefined;
}

/** A line of a stack trace. */
export interface Frame {
  function?: string | undefined;
  filename: string;
  line?: number | undefined;
  column?: number | undefined;
  /** Whether the code is the program's own and not a dependency's. */
  in_app?: boolean | undefined;
}

/** A minified file, and the id that a bundler's plugin gave it and its source map. */
export interface DebugImage {
  type: string;
  code_file: string;
  debug_id: string;
}

/** The JSON body of `POST /api/projects/{project}/error-events`. */
export interface ErrorEventBody extends PreviousException {
  /** 32 lowercase hex characters. The server counts an event that arrives again only once. */
  event_id?: string | undefined;
  /** Default "error". */
  level?: Level | undefined;
  /** Replaces class and trace as what the events of a group have in common; `{{ default }}` stands for these. */
  fingerprint?: readonly string[] | undefined;
  /** At most 50; keys and values have at most 200 characters. */
  tags?: Record<string, string> | undefined;
  /** Oldest first, at most 100. */
  breadcrumbs?: Breadcrumb[] | undefined;
  /** Newest first, like the stack trace. */
  frames?: Frame[] | undefined;
  /** The debug ids of minified files in the trace, by which their source maps are found. */
  debug_meta?: { images: DebugImage[] } | undefined;
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

/** An event in the queue. */
export interface Pending {
  event: ErrorEventBody;
  /** What it shares with similar events, see `groupOf`. */
  group: string;
  /** Its key in the platform's store, once it is stored there. */
  key?: string | undefined;
  sending?: boolean;
  /** 5xx responses so far: the event itself may be the cause. */
  failures: number;
  /** Whether it was already shortened because the server refused the full event. */
  reduced?: boolean;
}

/** A random id: 32 lowercase hex characters. `crypto` is slow to load in Node, and randomUUID needs HTTPS in browsers. */
export function eventId(): string {
  return "x".repeat(32).replace(/x/g, () => Math.floor(Math.random() * 16).toString(16));
}
