import assert from "node:assert/strict";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import { waitUntil } from "./eventually.ts";

/** A server set up over HTTP as a user would: a project, a token to send events and one to read them. */
export type Installed = {
  projectId: number;
  events: string;
  /** Sends events. */
  token: string;
  /** Reads everything. */
  readToken: string;
  send(base: string, event: unknown): Promise<Response>;
  /** Reads a URL as the administrator. */
  get(url: string): Promise<unknown>;
  /** Sends JSON as the administrator, in a browser's session. */
  post(url: string, body: unknown): Promise<Response>;
  /** Deletes what is at the URL, as the administrator. */
  delete(url: string): Promise<Response>;
  /** All groups of the project as full resources. */
  readGroups(base: string): Promise<ErrorGroup[]>;
};

export const SETUP_TOKEN = "a-set-up-token";

export async function install(base: string): Promise<Installed> {
  const setup = await postUntilServed(
    `${base}/api/setup`,
    {},
    {
      setup_token: SETUP_TOKEN,
      workspace_name: "Acme",
      first_name: "Ada",
      last_name: "Moss",
      username: "ada",
      email: "ada@example.com",
      password: "correct horse",
    },
  );
  assert.equal(setup.status, 201, await setup.text());
  const cookie = String(setup.headers.getSetCookie()[0]).split(";", 1)[0] as string;
  const browser = { cookie, "sec-fetch-site": "same-origin" };
  const create = async (path: string, body: unknown) => {
    const answer = await postUntilServed(`${base}${path}`, browser, body);
    assert.equal(answer.status, 201, path);
    return (await answer.json()) as { id: number; token: string };
  };
  const { id } = await create("/api/projects", { key: "WEB", name: "Web" });
  const sending = await create(`/api/projects/${id}/tokens`, { name: "app", access: "read_write" });
  const reading = await create("/api/profile/tokens", { name: "reader", write: false });
  const groups = `/api/projects/${id}/error-groups`;
  const get = async (url: string) => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${reading.token}` } });
    assert.equal(answer.status, 200, url);
    return answer.json();
  };
  const events = `/api/projects/${id}/error-events`;
  return {
    projectId: id,
    events,
    token: sending.token,
    readToken: reading.token,
    send: (at, event) => post(`${at}${events}`, { authorization: `Bearer ${sending.token}` }, event),
    get,
    post: (url, body) => post(url, browser, body),
    delete: (url) => fetch(url, { method: "DELETE", headers: browser }),
    readGroups: async (at) => {
      const { data } = (await get(`${at}${groups}`)) as { data: { id: number }[] };
      return Promise.all(data.map((group) => get(`${at}${groups}/${group.id}`) as Promise<ErrorGroup>));
    },
  };
}

/** Repeats a request that a server on a busy machine answers with 503, which says that it has had no effect. */
async function postUntilServed(...request: Parameters<typeof post>): Promise<Response> {
  let answer: Response | undefined;
  await waitUntil(async () => {
    answer = await post(...request);
    return answer.status !== 503;
  });
  assert.ok(answer);
  return answer;
}

function post(url: string, headers: Record<string, string>, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
