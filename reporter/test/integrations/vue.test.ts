import assert from "node:assert/strict";
import { test } from "node:test";
import { type NitroApp, nitroErrors, type NuxtApp, nuxtErrors } from "../../src/integrations/nuxt.ts";
import { vueErrors, type VueApp } from "../../src/integrations/vue.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";

/** The used part of a Vue application on a page of Vue Router. */
function application(matched: object[] = [{ path: "/shop" }, { path: "/shop/orders/:id()" }]): VueApp {
  const $router = { currentRoute: { value: { matched } } };
  return { version: "3.6.1", config: { globalProperties: { $router } } };
}

/** Only Vue knows the type of its instances. */
const instance = null as never;

test("Vue: an error has the declared path of the route, and goes to the application's own handler", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const app = application();
  const calls: unknown[][] = [];
  app.config.errorHandler = (...args) => void calls.push(args);
  vueErrors({ reporter }).install(app);
  const error = new TypeError("no lines");
  app.config.errorHandler(error, instance, "setup function");
  assert.deepEqual(calls, [[error, instance, "setup function"]]);
  await reporter.flush();
  const [event] = server.events();
  assert.deepEqual(event?.framework, { name: "Vue", version: "3.6.1" });
  assert.deepEqual(event.context, { kind: "route", pattern: "/shop/orders/:id" });
});

test("Vue: without a handler of the application, an error is written to the console", async (t) => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const lines = t.mock.method(console, "error", () => {});
  const app = application([]);
  vueErrors({ reporter }).install(app);
  const error = new Error("x");
  app.config.errorHandler?.(error, instance, "");
  assert.deepEqual(lines.mock.calls[0]?.arguments, [error]);
  await reporter.flush();
  assert.equal(server.events()[0]?.context, undefined);
});

test("Nuxt: errors of components are reported once, a page that was not found is not", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const listeners: Record<string, (error: unknown) => void> = {};
  const nuxtApp = {
    versions: { nuxt: "4.2.0" },
    vueApp: application(),
    hook: (name: string, listener: (error: unknown) => void) => (listeners[name] = listener),
  } satisfies NuxtApp & { versions: object };
  nuxtErrors({ reporter })(nuxtApp);
  const error = new TypeError("no lines");
  listeners["vue:error"]?.(error);
  listeners["app:error"]?.(Object.assign(new Error("no lines", { cause: error }), { statusCode: 500 }));
  listeners["app:error"]?.(Object.assign(new Error("Page not found"), { statusCode: 404 }));
  await reporter.flush();
  assert.deepEqual(
    server.events().map((event) => [event.message, event.framework]),
    [["no lines", { name: "Nuxt", version: "4.2.0" }]],
  );
});

test("Nuxt's server: an error of an API route has its method, its declared path and its status", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  let report: Parameters<NitroApp["hooks"]["hook"]>[1] = () => assert.fail();
  nitroErrors({ reporter })({ hooks: { hook: (_, listener) => (report = listener) } });
  const event = { method: "GET", context: { matchedRoute: { path: "/api/orders/:id" } } };
  const cause = new TypeError("no lines");
  report(Object.assign(new Error("no lines", { cause }), { statusCode: 500 }), { event });
  report(Object.assign(new Error("gone"), { statusCode: 410 }), { event });
  report(new Error("page"), { event: { method: "GET", context: { matchedRoute: { path: "/**" } } } });
  await reporter.flush();
  const route = { kind: "route", method: "GET", response_status: 500 };
  assert.deepEqual(
    server.events().map((each) => [each.exception_class, each.context]),
    [
      ["TypeError", { ...route, pattern: "/api/orders/:id" }],
      ["Error", route],
    ],
  );
});
