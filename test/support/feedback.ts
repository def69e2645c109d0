import { hash } from "node:crypto";
import type { Answer } from "./client.ts";
import { makeIngestKey } from "./make.ts";
import { MULTIPART, multipart, type Part } from "./multipart.ts";
import { openReports, type ReportProject } from "./reports.ts";
import type { TestApp } from "./test-app.ts";

type Sending = { key?: string; origin?: string; headers?: Record<string, string>; to?: string | number };

/** A new project with an ingest key, and what visitors send to it. */
export type FeedbackProject = ReportProject & {
  ingestKey: string;
  url: string;
  /** Sends JSON as a program does, or as a web page if there is an `origin`. */
  send(body: object, options?: Sending): Promise<Answer>;
  /** Sends multipart. */
  upload(parts: Part[], options?: Sending): Promise<Answer>;
};

export async function openFeedback(t: TestApp): Promise<FeedbackProject> {
  const project = await openReports(t);
  const ingestKey = await makeIngestKey(t.db, project.id);
  const urlOf = (id: string | number) => `/api/projects/${id}/feedback`;
  const send = (
    payload: string | Buffer,
    type: string,
    { key = ingestKey, origin, headers = {}, to = project.id }: Sending = {},
  ) =>
    t.http.send({
      method: "POST",
      url: urlOf(to),
      payload,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": type,
        ...(origin !== undefined && { origin, "sec-fetch-site": "cross-site" }),
        ...headers,
      },
    });
  return {
    ...project,
    ingestKey,
    url: urlOf(project.id),
    send: (body, options) => send(JSON.stringify(body), "application/json", options),
    upload: (parts, options) => send(multipart(parts), MULTIPART, options),
  };
}

/** Solves the challenge of a public form as a browser does. */
export function solve({ token, bits }: { token: string; bits: number }): string {
  for (let nonce = 0; ; nonce++)
    if (Math.clz32(hash("sha256", `${token}:${nonce}`, "buffer").readUInt32BE(0)) >= bits)
      return String(nonce);
}
