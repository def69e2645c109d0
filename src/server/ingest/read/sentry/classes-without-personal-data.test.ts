import assert from "node:assert/strict";
import { test } from "node:test";
import { frame, read } from "../../../../../test/support/sentry-events.ts";

/** An exception after another one of the class. Applications can name their errors as they like. */
const thrown = (type: string, code?: string) => {
  const stacktrace = { frames: [frame("run", "/srv/app/server.js")] };
  return {
    exception: {
      values: [
        { type, value: "cause" },
        { type, value: "v", stacktrace, mechanism: { type: "generic", data: { code } } },
      ],
    },
  };
};

test("personal data is removed from the names of exceptions and from their codes", () => {
  const event = {
    ...thrown("No account for ada@example.com (customer-4711)", "no account: customer-4711"),
    user: { id: "customer-4711" },
  };
  const { exception_class, facts, previous_exceptions } = read(event);
  const name = "No account for [removed: email] ([removed: user])";
  assert.deepEqual(
    [exception_class, facts.exception_code, previous_exceptions[0]?.exception_class],
    [name, "no account: [removed: user]", name],
  );
});

test("classes that are only names stay as they are", () => {
  for (const type of ["TypeError", "Abc::E2E", "App\\Card", "java.net.ConnectException", "Dead::Beef::1"]) {
    const event = { ...thrown(type, "23505"), user: { id: "TypeError", username: "23505" } };
    const { exception_class, facts } = read(event);
    assert.deepEqual([exception_class, facts.exception_code], [type, "23505"]);
  }
});

test("removing personal data from a name does not change the group", () => {
  const event = thrown("No account for customer-4711");
  assert.deepEqual(read({ ...event, user: { id: "customer-4711" } }).fingerprint, read(event).fingerprint);
});
