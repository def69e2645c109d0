import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Client } from "../../../test/support/client.ts";
import { png } from "../../../test/support/images.ts";
import { makeMember, makePersonalToken, makeProjectToken, makeUser } from "../../../test/support/make.ts";
import { upload } from "../../../test/support/multipart.ts";
import { openReports, type ReportProject } from "../../../test/support/reports.ts";
import { useTestApp } from "../../../test/support/test-app.ts";

let p: ReportProject;
const t = await useTestApp();
const image = await png();
beforeEach(async () => {
  p = await openReports(t);
});

const attach = (client: Client, report: { id: number }) =>
  upload(client, `${p.of(report)}/attachments`, [{ name: "file", filename: "a.png", content: image }]);

/** The status of every operation on a report, the destructive ones last. */
async function statuses(client: Client, report: { id: number }) {
  const url = p.of(report);
  const [attachment] = (await p.admin.get(`${url}/attachments`)).body;
  const answers = {
    list: await client.get(p.reports),
    read: await client.get(url),
    create: await client.post(p.reports, { title: "x", description: "y" }),
    reorder: await client.post(`${p.reports}/reorder`, { report_id: report.id }),
    attachments: await client.get(`${url}/attachments`),
    download: await client.get(`${url}/attachments/${attachment.id}/download`),
    attach: await attach(client, report),
    dismiss: await client.post(`${url}/dismiss`, { category: "invalid" }),
    restore: await client.post(`${url}/restore`),
    promote: await client.post(`${p.reports}/promote`, {
      report_ids: [report.id],
      title: "x",
      description: "y",
    }),
    delete: await client.delete(url),
  };
  return Object.fromEntries(Object.entries(answers).map(([verb, answer]) => [verb, answer.status]));
}

async function reportWithFile(by?: Client) {
  const report = await p.create("A report", by);
  await attach(p.admin, report);
  return report;
}

const all = {
  list: 200,
  read: 200,
  create: 201,
  reorder: 200,
  attachments: 200,
  download: 200,
  attach: 201,
  dismiss: 200,
  restore: 200,
};
const none = {
  list: 403,
  read: 403,
  create: 403,
  reorder: 403,
  attachments: 403,
  download: 403,
  attach: 403,
  dismiss: 403,
  restore: 403,
  promote: 403,
  delete: 403,
};
const reading = { list: 200, read: 200, attachments: 200, download: 200 };

test("each role can do to another user's report what its permissions allow", async () => {
  const expected = {
    Manager: { ...all, promote: 200, delete: 204 },
    Member: { ...all, promote: 200, delete: 403 },
    Reporter: { ...none, ...reading, create: 201 },
    Viewer: { ...none, ...reading },
  } as const;
  for (const [role, verbs] of Object.entries(expected)) {
    const { client } = await p.member(role as keyof typeof expected);
    assert.deepEqual(await statuses(client, await reportWithFile()), verbs, role);
  }
});

test("a permission allows its own operations and no others", async () => {
  const cases: [string[], object][] = [
    [[], {}],
    [["reports:create"], { create: 201 }],
    [["reports:read"], reading],
    [["reports:update"], { reorder: 200, dismiss: 200, restore: 200, promote: 200 }],
    [["reports:delete"], { delete: 204 }],
    [["attachments:create"], {}],
    [["attachments:create", "reports:read"], { ...reading, attach: 201 }],
    [["issues:create", "issues:update", "comments:create"], {}],
  ];
  for (const [permissions, verbs] of cases) {
    const { client } = await p.member({ permissions });
    assert.deepEqual(
      await statuses(client, await reportWithFile()),
      { ...none, ...verbs },
      permissions.join(),
    );
  }
});

test("users can delete their own reports and read their attachments without a permission", async () => {
  const { client } = await p.member({ permissions: ["reports:create"] });
  const own = await reportWithFile(client);
  const expected = { ...none, create: 201, attachments: 200, download: 200, delete: 204 };
  assert.deepEqual(await statuses(client, own), expected);
  const reporter = await p.member({ permissions: ["reports:create", "attachments:create"] });
  const another = await reportWithFile(reporter.client);
  assert.deepEqual(await statuses(reporter.client, another), { ...expected, attach: 201 });
});

test("creators of reports lose access to them with the access to the project", async () => {
  const { user, client } = await p.member("Member");
  const own = await reportWithFile(client);
  await t.db.deleteFrom("project_members").where("user_id", "=", user.id).execute();
  const later = t.http.as(await makePersonalToken(t.db, user.id));
  assert.deepEqual(await statuses(later, own), none);
});

test("a project token can read, one with write scope can also create and attach, and neither can do more", async () => {
  const read = t.http.as(await makeProjectToken(t.db, p.id, p.adminUser.id, { access: "read" }));
  assert.deepEqual(await statuses(read, await reportWithFile()), { ...none, ...reading });
  assert.deepEqual(await statuses(p.token, await reportWithFile()), {
    ...none,
    ...reading,
    create: 201,
    attach: 201,
  });
  const inactive = t.http.as(await makeProjectToken(t.db, p.id, p.adminUser.id, { active: false }));
  assert.deepEqual(await statuses(inactive, await reportWithFile()), none);
});

test("a project token can do no more than its creator", async () => {
  const cases: [string[], object][] = [
    [["project:update"], {}],
    [["reports:create"], { create: 201 }],
    [["reports:read"], reading],
    // A project token does not need permission to read the report to which it attaches a file.
    [["attachments:create"], { attach: 201 }],
  ];
  for (const [permissions, verbs] of cases) {
    const creator = await makeMember(t.db, p.id, { role: { permissions } });
    const token = t.http.as(await makeProjectToken(t.db, p.id, creator.id));
    // Not even for a report that the token's creator created as a user.
    const report = await reportWithFile();
    await t.db.updateTable("reports").set({ created_by: creator.id }).where("id", "=", report.id).execute();
    assert.deepEqual(await statuses(token, report), { ...none, ...verbs }, permissions.join());
  }
});

test("a personal token without the write scope can only read", async () => {
  const client = t.http.as(await makePersonalToken(t.db, p.adminUser.id, { write: false }));
  assert.deepEqual(await statuses(client, await reportWithFile()), { ...none, ...reading });
});

test("no credential returns 401, an unknown project 404, no access to the project 403", async () => {
  const report = await reportWithFile();
  const anonymous = Object.values(await statuses(t.http, report));
  assert.ok(anonymous.every((status) => status === 401));
  const stranger = t.http.as(await makePersonalToken(t.db, (await makeUser(t.db)).id));
  assert.deepEqual(await statuses(stranger, report), none);
  assert.equal((await stranger.get("/api/projects/999999/reports")).status, 404);
});

test("403 is returned before the body is validated and the report is looked up", async () => {
  const { client } = await p.member({ permissions: ["attachments:create"] });
  const unknown = { id: 999_999 };
  const broken = { "content-type": "application/xml" };
  const answers = [
    await client.delete(p.of(unknown)),
    await client.get(`${p.of(unknown)}/attachments`),
    await client.send({
      method: "POST",
      url: `${p.of(unknown)}/attachments`,
      headers: broken,
      payload: "<x/>",
    }),
    await client.send({ method: "POST", url: p.reports, headers: broken, payload: "<x/>" }),
    await client.send({
      method: "POST",
      url: `${p.of({ id: 0 })}/dismiss`,
      headers: broken,
      payload: "<x/>",
    }),
  ];
  for (const answer of answers) assert.equal(answer.status, 403);
});

test("a report of another project can be neither read nor changed, even with every permission in this project", async () => {
  const other = await openReports(t);
  const foreign = await other.create();
  await upload(other.admin, `${other.of(foreign)}/attachments`, [
    { name: "file", filename: "a.png", content: image },
  ]);
  const [attachment] = (await other.admin.get(`${other.of(foreign)}/attachments`)).body;
  const here = await reportWithFile();
  const answers = [
    await p.admin.get(`${p.of(here)}/attachments/${attachment.id}/download`),
    await p.admin.get(`${p.of(foreign)}/attachments/${attachment.id}/download`),
    await p.admin.get(`${p.of(foreign)}/attachments`),
    await attach(p.admin, foreign),
    await p.admin.post(`${p.of(foreign)}/restore`),
    await p.admin.delete(p.of(foreign)),
  ];
  for (const answer of answers) assert.equal(answer.status, 404);
  assert.deepEqual((await other.admin.get(`${other.of(foreign)}/attachments`)).body, [attachment]);
});
