import { anException, attributesOf, TIME, type logsRequest, type traceRequest } from "./otlp.ts";
import type { openTestApp } from "./test-app.ts";

export const JSON_TYPE = "application/json";
export const PROTOBUF = "application/x-protobuf";

type TestApp = Pick<Awaited<ReturnType<typeof openTestApp>>, "http">;

type Options = {
  type?: string;
  credential?: string;
  app?: TestApp;
  to?: number | string;
  headers?: Record<string, string>;
};

/** Sends to the project with the key, unless the options name others. */
export function otlpSender(t: TestApp, project: { id: number }, key: string) {
  const post = (signal: "logs" | "traces", payload: Buffer | string, options: Options = {}) => {
    const { type = JSON_TYPE, credential = key, app = t, to = project.id, headers = {} } = options;
    return app.http.send({
      method: "POST",
      url: `/api/projects/${to}/otlp/v1/${signal}`,
      headers: { authorization: `Bearer ${credential}`, "content-type": type, ...headers },
      payload,
    });
  };
  return {
    post,
    sendLogs: (request: ReturnType<typeof logsRequest>, options?: Options) =>
      post("logs", JSON.stringify(request), options),
    sendTraces: (request: ReturnType<typeof traceRequest>, options?: Options) =>
      post("traces", JSON.stringify(request), options),
  };
}

/** A log record with an exception. */
export const aRecord = (exception = {}, more = {}) => ({
  timeUnixNano: TIME,
  severityNumber: 17,
  attributes: attributesOf(anException(exception)),
  ...more,
});
/** A span whose event is an exception. */
export const aSpan = (exception = {}, more = {}) => ({
  spanId: "eee19b7ec3c1b174",
  name: "POST /orders/:id",
  events: [{ timeUnixNano: TIME, name: "exception", attributes: attributesOf(anException(exception)) }],
  ...more,
});
