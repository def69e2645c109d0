import assert from "node:assert/strict";
import { test } from "node:test";
import { anything, assert as check, property } from "fast-check";
import { previousErrors } from "./chain.ts";
import { describe } from "./describe.ts";

class PaymentError extends Error {}
class Named extends Error {
  override name = "CardDeclined";
}
class e extends TypeError {}

const thrown: [what: string, error: unknown, exception_class: string, message: string][] = [
  ["an Error", new Error("no"), "Error", "no"],
  ["a built-in class", new RangeError("far"), "RangeError", "far"],
  ["a custom class", new PaymentError("no"), "PaymentError", "no"],
  ["a class that sets `name`", new Named("no"), "CardDeclined", "no"],
  ["a class whose name was minified", new e("no"), "TypeError", "no"],
  ["a DOMException", new DOMException("gone", "AbortError"), "AbortError", "gone"],
  ["a string", "no", "Thrown string", "no"],
  ["null", null, "Thrown null", "null"],
  ["undefined", undefined, "Thrown undefined", "undefined"],
  ["a symbol", Symbol("x"), "Thrown symbol", "Symbol(x)"],
  [
    "a plain object, which is described by its keys,",
    { email: "a@b.c" },
    "Object",
    "An object with the keys email",
  ],
  ["an object that looks like an error", { name: "Odd", message: "no" }, "Odd", "no"],
  ["an object without a prototype", Object.create(null), "Error", "An object with the keys"],
];

for (const [what, error, exception_class, message] of thrown) {
  test(`${what} is reported as ${exception_class}`, () => {
    const described = describe(error);
    assert.deepEqual([described.exception_class, described.message], [exception_class, message]);
  });
}

test("describing any thrown value does not throw", () => {
  const hostile = new Proxy(new Error("x"), {
    get: () => {
      throw new Error("trap");
    },
    getPrototypeOf: () => {
      throw new Error("trap");
    },
    ownKeys: () => {
      throw new Error("trap");
    },
  });
  const getters = Object.defineProperties(
    {},
    {
      message: { get: () => hostile.message },
      stack: { get: () => hostile.stack },
      cause: { get: () => hostile },
    },
  );
  for (const error of [hostile, getters, { errors: hostile }, { toString: null }, () => hostile]) {
    assert.equal(typeof describe(error).message, "string");
    assert.ok(Array.isArray(previousErrors(error)));
  }
  check(
    property(anything({ withNullPrototype: true, withSparseArray: true, withBigInt: true }), (error) => {
      const described = describe(error);
      for (const text of Object.values(described)) assert.equal(typeof text, "string");
      assert.ok(previousErrors(error).length <= 10);
    }),
    { numRuns: 300 },
  );
});

test("a message of ten million characters is cut to 65,535", () => {
  assert.equal(describe(new Error("x".repeat(10_000_000))).message.length, 65_535);
});

test("the chain contains all causes, outermost first", () => {
  const error = new Error("a", { cause: new Error("b", { cause: new Error("c", { cause: "d" }) }) });
  assert.deepEqual(
    previousErrors(error).map((cause) => describe(cause).message),
    ["b", "c", "d"],
  );
});

test("the members of an AggregateError come after its cause, and their causes after them", () => {
  const members = [new Error("one", { cause: new Error("deep") }), new Error("two")];
  const error = new AggregateError(members, "all", { cause: new Error("why") });
  assert.deepEqual(
    previousErrors(error).map((cause) => describe(cause).message),
    ["why", "one", "two", "deep"],
  );
});

test("a circular chain ends", () => {
  const error: Error & { cause?: unknown } = new Error("a");
  error.cause = new Error("b", { cause: error });
  assert.equal(previousErrors(error).length, 1);
});

test("a chain of fifty errors is cut to ten", () => {
  let error = new Error("end");
  for (let depth = 0; depth < 50; depth += 1) error = new Error(`${depth}`, { cause: error });
  assert.equal(previousErrors(error).length, 10);
});
