import { go, java, node, python, type Language } from "./languages.ts";

/** What the group of a program's two errors must show. */
export type Expected = {
  exception_class: string;
  message: RegExp;
  /** The newest frame of the trace. */
  frame: RegExp;
  /** Classes of the chain. */
  chain: string[];
  context: Record<string, unknown> | null;
  host: string | null;
  runtime: RegExp;
  /** Not checked if it depends on what else is installed. */
  framework?: string | null | undefined;
};

/** Sessions, and those that had errors or crashed. */
export type Sessions = [all: number, failed: number];

export type Program = {
  name: string;
  language: Language;
  run: string;
  expected: Expected;
  /** What the SDK reports by itself, if it does. */
  sessions?: Sessions;
};

const jsError: Expected = {
  exception_class: "PaymentError",
  message: /^the card was declined$/,
  frame: /^ {4}at (?:\w+\.)?placeOrder \(.*shop\.cjs:\d+:\d+\)$/,
  chain: ["TypeError"],
  context: null,
  host: "web-1",
  runtime: /^node v?\d/,
  framework: null,
};

const pythonError: Expected = {
  ...jsError,
  framework: undefined,
  frame: /^ {4}at place_order \(shop\.py:\d+\)$/,
  chain: ["ValueError"],
  runtime: /^CPython 3\./,
};

const goError: Expected = {
  ...jsError,
  exception_class: "*main.PaymentError",
  frame: /^ {4}at placeOrder \(main:\d+\)$/,
  chain: ["*errors.errorString"],
  runtime: /^go 1\./,
};

const javaError: Expected = {
  ...jsError,
  exception_class: "shop.PaymentException",
  frame: /^ {4}at place \(Orders\.java:\d+\)$/,
  chain: ["java.lang.IllegalStateException"],
  runtime: /^Java \d/,
};

const route = (more: object = {}) => ({
  context: {
    kind: "route",
    name: null,
    method: "POST",
    pattern: null,
    action: null,
    response_status: null,
    ...more,
  },
});

export const PROGRAMS: Program[] = [
  { name: "Node, CommonJS", language: node, run: "commonjs.cjs", expected: jsError, sessions: [1, 1] },
  { name: "Node, ECMAScript module", language: node, run: "module.mjs", expected: jsError, sessions: [1, 1] },
  {
    name: "Node, Express",
    language: node,
    run: "express.cjs",
    expected: { ...jsError, ...route({ pattern: "/orders/:id" }), framework: "express" },
    sessions: [2, 2],
  },
  {
    name: "Node, Fastify",
    language: node,
    run: "fastify.mjs",
    expected: { ...jsError, ...route({ pattern: "/orders/:id" }), framework: "fastify" },
    sessions: [2, 2],
  },
  { name: "Node, worker", language: node, run: "worker.cjs", expected: jsError, sessions: [1, 1] },
  {
    name: "Node, rejected promise",
    language: node,
    run: "rejection.cjs",
    expected: jsError,
    sessions: [1, 1],
  },
  { name: "Python", language: python, run: "plain.py", expected: pythonError },
  {
    name: "Python, Flask",
    language: python,
    run: "flask_app.py",
    expected: { ...pythonError, ...route({ action: "create_order" }), framework: "flask" },
    sessions: [2, 2],
  },
  {
    name: "Python, Django",
    language: python,
    run: "django_app.py",
    expected: { ...pythonError, ...route({ pattern: "/orders/{order_id}" }), framework: "django" },
    sessions: [2, 2],
  },
  {
    name: "Python, Celery job",
    language: python,
    run: "job.py",
    expected: {
      ...pythonError,
      context: { kind: "job", name: "shop.place_order", queue: null, attempt: null },
    },
  },
  {
    name: "Python, logging",
    language: python,
    run: "logged.py",
    expected: {
      ...pythonError,
      exception_class: "Message",
      message: /^Order 17 of \[removed: user\] is late$/,
      frame: /^Order %s of %s is late$/,
      chain: [],
    },
  },
  { name: "Go, net/http", language: go, run: "http", expected: { ...goError, ...route() } },
  { name: "Go, panic", language: go, run: "panic", expected: goError },
  { name: "Java", language: java, run: "shop.Plain", expected: javaError, sessions: [1, 1] },
  {
    name: "Java, Logback in a request",
    language: java,
    run: "shop.Logged",
    expected: { ...javaError, ...route() },
  },
];
