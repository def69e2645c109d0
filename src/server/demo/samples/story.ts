/** What becomes of the error: whether it is still open, and how long ago it happened first and last. */
export type Fate = "frequent" | "fixed" | "regressed" | "snoozed" | "new";

/** A stack frame as clients send it, with its source line. */
export type StoryFrame = {
  function: string;
  filename: string;
  abs_path?: string;
  module?: string;
  lineno: number;
  colno?: number;
  in_app: boolean;
  pre_context?: string[];
  context_line?: string;
  post_context?: string[];
};

/** `before` is in seconds before the error. */
export type StoryBreadcrumb = {
  before: number;
  category: string;
  message: string;
  level?: string;
  type?: string;
  data?: Record<string, unknown>;
};

/** An error written by hand, with everything that a client can send, for the pages that show it. */
export type Story = {
  fate: Fate;
  /** The fields that all of its events share. */
  event: Record<string, unknown> & { exception_class: string; stack_trace: string };
  /** Newest first. */
  frames: StoryFrame[];
  breadcrumbs: StoryBreadcrumb[];
  /** One of each is chosen for every event. */
  messages: string[];
  tags: Record<string, string[]>;
  contexts: Record<string, unknown>[];
  requests: Record<string, unknown>[];
  extra: Record<string, unknown>;
  /** Feedback that refers to one of the events. */
  reports?: { title: string; description: string; author: string }[];
  /** Comments on the error, oldest first; each replies to the one before it. */
  comments?: string[];
  /** Messages of another group of the same class, which somebody merged into this one. */
  merged?: { stack_trace: string; message: string };
};

/** Numbered source lines around the one that failed, which is marked with `>`. */
export function source(text: string): Pick<StoryFrame, "pre_context" | "context_line" | "post_context"> {
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const failed = lines.findIndex((line) => line.startsWith(">"));
  const contents = lines.map((line) => line.slice(1));
  return {
    pre_context: contents.slice(0, failed),
    context_line: contents[failed] ?? "",
    post_context: contents.slice(failed + 1),
  };
}
