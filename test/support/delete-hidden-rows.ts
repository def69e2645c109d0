import { deleteHiddenRows as runJob } from "../../src/server/people/deletions/delete-batches.ts";
import type { TestApp } from "./test-app.ts";

/** Runs the background job that deletes the rows of deleted projects and workspaces. */
export const deleteHiddenRows = ({ database }: TestApp) =>
  runJob(database.pool, new AbortController().signal);
