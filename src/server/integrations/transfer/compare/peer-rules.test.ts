import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { serveAnswers, type Answers } from "../../../../../test/support/answering-server.ts";
import { openSentryApi } from "../sentry-api.ts";
import { readPeerRules } from "./peer-rules.ts";

async function read(context: TestContext, answers: Answers) {
  const server = await serveAnswers(answers);
  context.after(() => server.close());
  const url = new URL("/api/0/organizations/acme/issues/?project=42", server.origin);
  const api = openSentryApi(url, null, { signal: new AbortController().signal, backoffMs: 1 });
  return { rules: await readPeerRules(api, ["web"]), requests: server.requests.map(({ path }) => path) };
}

// As Sentry's API reference documents them.
const WORKFLOW = {
  id: "1",
  name: "New or back",
  environment: "production",
  enabled: true,
  triggers: {
    logicType: "any-short",
    conditions: [{ type: "first_seen_event" }, { type: "regression_event" }],
  },
  actionFilters: [
    {
      conditions: [{ type: "level", comparison: { level: 50 } }],
      actions: [{ type: "email" }, { type: "slack" }],
    },
  ],
};

test("Sentry's workflows of the project are read, without those that are turned off", async (context) => {
  const { rules, requests } = await read(context, {
    "/api/0/organizations/acme/workflows/": { body: [WORKFLOW, { ...WORKFLOW, enabled: false }] },
  });
  assert.deepEqual(rules, [
    {
      name: "New or back",
      kinds: ["new_group", "regression"],
      environment: "production",
      actions: ["email", "webhook"],
    },
  ]);
  assert.deepEqual(requests, ["/api/0/organizations/acme/workflows/?project=42"]);
});

test("a server without workflows tells its rules", async (context) => {
  const { rules } = await read(context, {
    "/api/0/projects/acme/web/rules/": {
      body: [
        {
          id: "7",
          name: "Many",
          environment: null,
          status: "active",
          conditions: [{ id: "sentry.rules.conditions.event_frequency.EventFrequencyCondition", value: 100 }],
          actions: [
            { id: "sentry.mail.actions.NotifyEmailAction" },
            { id: "sentry.integrations.jira.notify_action.JiraCreateTicketAction" },
          ],
        },
      ],
    },
  });
  assert.deepEqual(rules, [
    { name: "Many", kinds: ["group_events"], environment: null, actions: ["email", "issue"] },
  ]);
});

test("a server that tells no rules is told apart from one that has none", async (context) => {
  assert.equal((await read(context, {})).rules, null);
  const none = await read(context, { "/api/0/organizations/acme/workflows/": { body: [] } });
  assert.deepEqual(none.rules, []);
});

test("values of wrong types are no rules", async (context) => {
  const { rules } = await read(context, {
    "/api/0/organizations/acme/workflows/": {
      body: [
        null,
        7,
        "x",
        { name: 5, triggers: [], actionFilters: "x" },
        { triggers: { conditions: [null, 3] } },
      ],
    },
  });
  assert.deepEqual(rules, [
    { name: "", kinds: [], environment: null, actions: [] },
    { name: "", kinds: [], environment: null, actions: [] },
  ]);
});
