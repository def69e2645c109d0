import assert from "node:assert/strict";
import { test } from "node:test";
import { WEBHOOK_EVENT_NAMES, WEBHOOK_FORMATS, type WebhookEventName } from "../../../shared/webhooks.ts";
import { chatRequest, type ChatFormat } from "./chat-request.ts";
import type { EventBody } from "./event-body.ts";
import { previewMessage } from "./preview-message.ts";
import { sampleEvent } from "./sample-event.ts";

const publicUrl = "https://track.example.com";
const project = { id: 5, key: "WEB" };
const actor = { username: "ada", first_name: "Ada", last_name: "Moss" };
const FORMATS = WEBHOOK_FORMATS.filter((format): format is ChatFormat => format !== "signalbox");

const anError = (fields: object = {}): EventBody => ({
  type: "error_group.created",
  project,
  actor,
  data: {
    id: 77,
    exception_class: "TypeError",
    latest_message: "x is undefined",
    environment: "production",
    release: "1.0.0",
    last_release: "1.4.2",
    ...fields,
  },
});

const messageOf = (format: ChatFormat, event: EventBody, more = 0) => {
  const { headers, body } = chatRequest(format, event, { publicUrl, more });
  return { headers, body, json: format === "ntfy" ? undefined : JSON.parse(body) };
};

test("Slack gets a link, the text and the facts as blocks, and all of it as text for Mattermost and Rocket.Chat", () => {
  const heading = "*<https://track.example.com/projects/WEB/errors/77|New error: TypeError>*";
  const facts = "Project: WEB  ·  Environment: production  ·  Release: 1.4.2  ·  By: Ada Moss";
  assert.deepEqual(messageOf("slack", anError()).json, {
    text: `${heading}\nx is undefined\n${facts}`,
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: heading } },
      { type: "section", text: { type: "plain_text", text: "x is undefined", emoji: false } },
      { type: "context", elements: [{ type: "mrkdwn", text: facts }] },
    ],
  });
});

test("Discord gets an embed that mentions nobody", () => {
  assert.deepEqual(messageOf("discord", anError()).json, {
    embeds: [
      {
        title: "New error: TypeError",
        url: "https://track.example.com/projects/WEB/errors/77",
        description: "x is undefined",
        fields: [
          { name: "Project", value: "WEB", inline: true },
          { name: "Environment", value: "production", inline: true },
          { name: "Release", value: "1.4.2", inline: true },
          { name: "By", value: "Ada Moss", inline: true },
        ],
      },
    ],
    allowed_mentions: { parse: [] },
  });
});

test("Teams gets an adaptive card", () => {
  const { type, attachments } = messageOf("teams", anError()).json;
  const [{ contentType, content }] = attachments;
  assert.deepEqual(
    [type, attachments.length, contentType, content.type],
    ["message", 1, "application/vnd.microsoft.card.adaptive", "AdaptiveCard"],
  );
  assert.deepEqual(
    content.body.map(({ inlines }: { inlines: { text: string }[] }) =>
      inlines.map(({ text }) => text).join(""),
    ),
    [
      "New error: TypeError",
      "x is undefined",
      "Project: WEB",
      "Environment: production",
      "Release: 1.4.2",
      "By: Ada Moss",
    ],
  );
  assert.deepEqual(content.actions, [
    {
      type: "Action.OpenUrl",
      title: "Open in Signalbox",
      url: "https://track.example.com/projects/WEB/errors/77",
    },
  ]);
});

test("Telegram gets HTML without a preview of the link", () => {
  assert.deepEqual(messageOf("telegram", anError()).json, {
    text: [
      '<b><a href="https://track.example.com/projects/WEB/errors/77">New error: TypeError</a></b>',
      "x is undefined",
      "Project: WEB",
      "Environment: production",
      "Release: 1.4.2",
      "By: Ada Moss",
    ].join("\n"),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  });
});

test("ntfy gets a text, and the title, the link and a tag as headers", () => {
  const { headers, body } = messageOf("ntfy", anError());
  assert.deepEqual(headers, {
    "content-type": "text/plain; charset=utf-8",
    title: "New error: TypeError",
    click: "https://track.example.com/projects/WEB/errors/77",
    tags: "beetle",
  });
  assert.equal(body, "x is undefined\nProject: WEB\nEnvironment: production\nRelease: 1.4.2\nBy: Ada Moss");
});

for (const format of FORMATS)
  test(`${format} says how many events there were since the last message`, () => {
    assert.match(messageOf(format, anError(), 3).body, /\+3 more since/);
  });

test("a header with other characters than ASCII is encoded in words of at most 75 characters", () => {
  const title = `Ошибка ${"🙂".repeat(40)} =?`;
  const { headers } = messageOf("ntfy", anError({ exception_class: title }));
  const words = headers["title"]?.split(" ") ?? [];
  assert.ok(words.every((word) => word.length <= 75));
  const decoded = words.map((word) =>
    Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? "", "base64").toString(),
  );
  assert.equal(decoded.join(""), `New error: ${title}`);
});

/** Every text is as long as the API allows and longer, and full of what the services treat specially. */
const hostile = [
  "&<>\"'*_~`|[]()#@\\".repeat(5_000),
  "🙂".repeat(40_000),
  "\0\u0001\u001B[31m\n\r\n\t".repeat(9_000),
  "\uD800".repeat(50_000),
  "مرحبا ‮ عالم".repeat(5_000),
  "<!channel> @everyone @here </a></b> ".repeat(3_000),
  "a".repeat(100_000),
];

const limitsOf: Record<ChatFormat, (message: ReturnType<typeof messageOf>) => void> = {
  slack: ({ json }) => {
    assert.ok(json.blocks.length >= 1 && json.blocks.length <= 50);
    for (const block of json.blocks)
      for (const { text } of block.elements ?? [block.text]) {
        assert.ok(text.length >= 1 && text.length <= 3_000);
        assert.doesNotMatch(text, /<!|<@/);
        assert.match(text.replaceAll(/&(?:amp|lt|gt);/g, ""), /^[^&]*$/);
      }
    // Beyond this, Slack cuts the text.
    assert.ok(json.text.length <= 40_000);
  },
  discord: ({ json }) => {
    const [{ title, description = "", fields }] = json.embeds;
    assert.ok(title.length >= 1 && title.length <= 256);
    assert.ok(description.length <= 4_096 && fields.length <= 25);
    for (const { name, value } of fields)
      assert.ok(name.length <= 256 && value.length >= 1 && value.length <= 1_024);
    const texts = [
      title,
      description,
      ...fields.flatMap(({ name, value }: Record<string, string>) => [name, value]),
    ];
    assert.ok(texts.join("").length <= 6_000);
  },
  teams: ({ body, json }) => {
    // Also if the service counts UTF-16.
    assert.ok(Buffer.byteLength(body) <= 28_000 && body.length * 2 <= 28_000);
    assert.equal(json.attachments.length, 1);
  },
  telegram: ({ json }) => {
    const visible = json.text.replaceAll(/<[^>]*>/g, "").replaceAll(/&(?:amp|lt|gt);/g, "?");
    assert.ok(visible.length >= 1 && visible.length <= 4_096);
    assert.deepEqual(
      json.text.match(/<[^>]*>/g)?.map((tag: string) => tag.split(" ")[0]),
      ["<b>", "<a", "</a>", "</b>"],
    );
  },
  ntfy: ({ headers, body }) => {
    assert.ok(Buffer.byteLength(body) <= 4_096);
    for (const value of Object.values(headers)) assert.match(value, /^[ -~]+$/);
  },
};

for (const format of FORMATS)
  for (const [n, text] of hostile.entries())
    test(`hostile texts (${n + 1}) stay within the limits of ${format}`, () => {
      const names = { username: text, first_name: text, last_name: text };
      const event = {
        ...anError({ exception_class: text, latest_message: text, environment: text, last_release: text }),
        actor: names,
      };
      const message = messageOf(format, event, 1_000_000);
      limitsOf[format](message);
      assert.ok(message.body.isWellFormed());
      assert.doesNotMatch(message.body, /\\u0000|\\ud800/i);
    });

const EVENTS: WebhookEventName[] = [...WEBHOOK_EVENT_NAMES, "alert.fired", "alert.recovered", "webhook.test"];

for (const type of EVENTS)
  test(`${type} has a message with a title and a link in each format`, () => {
    const event = sampleEvent(type, { project, actor });
    const { title, lines, link } = previewMessage(event, { publicUrl });
    assert.ok(title.length > 0 && !title.includes(type));
    assert.match(link, /^https:\/\/track\.example\.com\/projects\/WEB/);
    assert.ok(lines.includes("Project: WEB") && lines.includes("By: Ada Moss"));
    for (const format of FORMATS) limitsOf[format](messageOf(format, event));
  });

test("the preview of an error is what the message says", () => {
  assert.deepEqual(previewMessage(anError(), { publicUrl, more: 2 }), {
    title: "New error: TypeError",
    lines: [
      "x is undefined",
      "Project: WEB",
      "Environment: production",
      "Release: 1.4.2",
      "By: Ada Moss",
      "More: +2 more since",
    ],
    link: "https://track.example.com/projects/WEB/errors/77",
  });
});

for (const [type, data, title, path] of [
  [
    "issue.closed",
    { key: "WEB-12", title: "Keep the coupon" },
    "Issue closed: WEB-12 Keep the coupon",
    "/issues/WEB-12",
  ],
  ["report.created", { id: 41, title: "It is slow" }, "New report: It is slow", "/reports/41"],
  ["release.deployed", { version: "web@1/2" }, "Release deployed: web@1/2", "/releases/web%401%2F2"],
  ["release.created", { version: ".." }, "New release: ..", "/release?version=.."],
  ["epic.created", { id: 8, title: "Checkout" }, "New epic: Checkout", "/epics/8"],
  ["sprint.updated", { id: 3, name: "Week 47" }, "Sprint updated: Week 47", "/sprints/3"],
  [
    "comment.created",
    { id: 9, commentable_type: "error_groups", commentable_id: 77 },
    "New comment",
    "/errors/77#comment-9",
  ],
  [
    "alert.fired",
    { rule: { id: 1, name: "Spikes" }, error_group: { id: 77, exception_class: "TypeError" } },
    "Alert: Spikes — TypeError",
    "/errors/77",
  ],
  [
    "alert.recovered",
    { rule: { id: 1, name: "Spikes" }, project: { id: 5, name: "Web" } },
    "Recovered: Spikes — Web",
    "",
  ],
] as const)
  test(`the message about ${type} is titled "${title}" and links to ${path === "" ? "the project" : path}`, () => {
    const preview = previewMessage({ type, project, data }, { publicUrl });
    assert.deepEqual([preview.title, preview.link], [title, `https://track.example.com/projects/WEB${path}`]);
  });
