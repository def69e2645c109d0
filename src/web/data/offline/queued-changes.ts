import type { Comment } from "../../../shared/comments.ts";
import { api } from "../../api/client.ts";
import { store, useStore } from "../../state/store.ts";

type Request = { method: "POST" | "PATCH"; path: string; body?: object | undefined };

/** A new comment, which its thread shows. */
export type QueuedComment = { kind: "comment"; project_id: number } & Omit<
  Comment,
  "id" | "user_id" | "created_at"
>;

/** Fields of things that have been loaded, which lists and pages show. */
export type QueuedFields = {
  kind: "issue" | "error_group" | "report";
  items: readonly ChangedFields[];
  /** The fields that are a conflict if someone else has changed them meanwhile. */
  compared: readonly string[];
};

export type ChangedFields = { id: number; project_id: number; before: object; after: object };

export type NewChange = {
  request: Request;
  shows: QueuedComment | QueuedFields;
  /**
   * What the list of changes says, given the name of what is changed: "Comment on WEB-12". Without it, the name and the
   * fields: "WEB-12: priority".
   */
  titleFor?: (name: string) => string;
};

/** A change that is sent when the connection is back, or that the server has rejected. */
export type QueuedChange = Pick<NewChange, "request" | "shows"> & {
  /** In the order in which they are sent. */
  id: number;
  user_id: number;
  created_at: string;
  title: string;
  /** The address of what it changes. */
  page: string;
  /** The Idempotency-Key. */
  key: string;
  /** Why the server has rejected it. */
  refusal?: string | undefined;
  /** Someone else has changed the same. It can be sent all the same. */
  isConflict?: boolean | undefined;
};

/** The changes of the signed-in person that this browser keeps, oldest first. */
export const queuedChanges = store<readonly QueuedChange[]>([]);

export const isWaiting = ({ refusal }: QueuedChange): boolean => refusal === undefined;

/** The id of the change that this tab is sending. */
export const sendingChange = store<number | undefined>(undefined);

/** Instead of the server's response: the change is sent when the connection is back. */
export class Queued {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }
}

/** Whether a change of the thing waits for the connection. */
export const useIsQueued = (kind: QueuedFields["kind"], id: number): boolean =>
  useStore(queuedChanges).some(
    (change) =>
      isWaiting(change) && change.shows.kind === kind && change.shows.items.some((item) => item.id === id),
  );

export const sendChange = <T>({ method, path, body }: Request, key: string): Promise<T> =>
  method === "POST" ? api.post<T>(path, body, key) : api.patch<T>(path, body);
