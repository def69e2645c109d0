import type { App } from "../../src/server/start/app.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- an answer is whatever the server says; tests look into it
type Json = any;

export type Answer = { status: number; body: Json; headers: Record<string, string>; text: string };

/** The fields that an error response names, sorted. */
export const fieldsOf = (answer: { body: { errors?: object } }): string[] =>
  Object.keys(answer.body.errors ?? {}).sort();

/** The status and the fields of an error response. */
export const refusalOf = (answer: Answer) => [answer.status, ...fieldsOf(answer)];

export type Client = {
  get(url: string): Promise<Answer>;
  post(url: string, body?: unknown): Promise<Answer>;
  put(url: string, body?: unknown): Promise<Answer>;
  patch(url: string, body?: unknown): Promise<Answer>;
  delete(url: string): Promise<Answer>;
  /** Sends any request; headers and payload are sent unchanged. */
  send(request: {
    method: string;
    url: string;
    headers?: Record<string, string>;
    payload?: string | Buffer;
  }): Promise<Answer>;
  as(token: string): Client;
  /** A client like a browser on the app's pages that has this cookie. */
  withCookie(cookie: string): Client;
};

/** Creates a client that sends requests to the app without a socket. */
export function client(app: App, headers: Record<string, string> = {}): Client {
  const send: Client["send"] = async (request) => {
    const response = await app.inject({
      method: request.method as "GET",
      url: request.url,
      headers: { ...headers, ...request.headers },
      ...(request.payload === undefined ? {} : { payload: request.payload }),
    });
    const text = response.body;
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    return {
      status: response.statusCode,
      body: isJson && text !== "" ? JSON.parse(text) : undefined,
      headers: response.headers as Record<string, string>,
      text,
    };
  };
  const json = (method: string) => (url: string, body?: unknown) =>
    send({
      method,
      url,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, payload: JSON.stringify(body) }),
    });
  return {
    send,
    get: (url) => send({ method: "GET", url }),
    delete: (url) => send({ method: "DELETE", url }),
    post: json("POST"),
    put: json("PUT"),
    patch: json("PATCH"),
    as: (token) => client(app, { authorization: `Bearer ${token}` }),
    withCookie: (cookie) => client(app, { cookie, "sec-fetch-site": "same-origin" }),
  };
}

/** `name=value` of the cookie that a response sets. */
export function cookieOf(answer: Answer): string {
  const header = answer.headers["set-cookie"];
  const first = Array.isArray(header) ? String(header[0]) : header;
  if (first === undefined) throw new Error("the answer sets no cookie");
  return first.split(";", 1)[0] as string;
}
