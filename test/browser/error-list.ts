import assert from "node:assert/strict";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import { anEvent, hashOf } from "../support/error-events.ts";
import type { Client } from "../support/client.ts";
import { waitUntil } from "../support/eventually.ts";
import { makeProject, makeProjectToken } from "../support/make.ts";
import type { TestPage } from "./test-page.ts";
import type { OpenOptions, TestSite } from "./test-site.ts";

/** The errors of a new project. */
export type ErrorList = {
  project: { id: number; key: string };
  /** The URL of the list. */
  url: string;
  /** Sends an event whose exception class is the name. */
  send(name: string, overrides?: Record<string, unknown>): Promise<void>;
  /** The error with this exception class. */
  group(name: string): Promise<ErrorGroup>;
  openPageOf(name: string, options?: OpenOptions): Promise<TestPage>;
};

export async function openErrorList(site: TestSite): Promise<ErrorList> {
  const project = await makeProject(site.t.db, site.workspaceId);
  const sender = site.t.http.as(await makeProjectToken(site.t.db, project.id, site.owner.id));
  const path = `/api/projects/${project.id}`;
  const url = `/projects/${project.key}/errors`;
  const group = async (name: string): Promise<ErrorGroup> => {
    const list = (await site.api.get(`${path}/error-groups?query=${name}`)).body;
    return (await site.api.get(`${path}/error-groups/${list.data[0].id}`)).body;
  };
  return {
    project,
    url,
    group,
    send: (name, overrides = {}) =>
      sendEvent(
        sender,
        `${path}/error-events`,
        anEvent({ exception_class: name, message: `${name} happened`, ...overrides }),
      ),
    openPageOf: async (name, options = {}) => site.open(`${url}/${(await group(name)).id}`, options),
  };
}

/** Sends an event as every client does: a server that is busy stores nothing and answers 503, and the event is sent again. */
export async function sendEvent(sender: Client, path: string, event: object): Promise<void> {
  await waitUntil(async () => {
    const answer = await sender.post(path, event);
    if (answer.status !== 503) assert.equal(answer.status, 202, answer.text);
    return answer.status === 202;
  });
}

export const rowLink = (page: TestPage, name: string) =>
  page.getByRole("list", { name: "Errors" }).getByRole("link", { name, exact: true });

/** An event with every field set. */
export const COMPLETE_EVENT = {
  release: "3.2.1",
  exception_code: "E42",
  runtime: { name: "PHP", version: "8.4.1" },
  framework: { name: "Laravel", version: "12.3.0" },
  memory_peak_bytes: 100_663_296,
  memory_limit_bytes: 134_217_728,
  host: "web-1",
  user_hash: hashOf(1),
  context: {
    kind: "route",
    method: "POST",
    pattern: "/orders/{order}",
    name: "orders.store",
    action: "OrderController@store",
    response_status: 500,
  },
  stack_trace: [
    "#0 /var/www/shop/app/Cart.php(88): App\\Cart->total()",
    "#1 /var/www/shop/vendor/laravel/framework/src/Pipeline.php(12): run()",
    "#2 /var/www/shop/vendor/laravel/framework/src/Router.php(31): route()",
    "#3 {main}",
  ].join("\n"),
  previous_exceptions: [
    {
      exception_class: "PDOException",
      message: "server has gone away",
      stack_trace: "#0 /var/www/shop/app/Db.php(7): Db->query()",
    },
    { exception_class: "SocketException", message: "reset by peer", stack_trace: "" },
  ],
};
