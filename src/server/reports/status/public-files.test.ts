import assert from "node:assert/strict";
import { test } from "node:test";
import { png } from "../../../../test/support/images.ts";
import { upload } from "../../../../test/support/multipart.ts";
import { openOutsideReports, type OutsideReport } from "../../../../test/support/outside-reports.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";

const t = await useTestApp();
const p = await openOutsideReports(t);

/** Adds a file to the report as somebody of the team does while writing a comment, and returns its id. */
async function attach({ path }: OutsideReport, filename = "fixed.png"): Promise<number> {
  const content = filename.endsWith(".png") ? await png(10, 20) : Buffer.from("The log");
  const answer = await upload(p.admin, `${path}/attachments`, [{ name: "file", filename, content }]);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
}

const addressOf = ({ path }: OutsideReport, id: number) => `${path}/attachments/${id}/download`;

async function comment({ path }: OutsideReport, body: object): Promise<number> {
  const answer = await p.admin.post(`${path}/comments`, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
}

const contents = async (report: OutsideReport) =>
  (await p.status(report)).messages.map(({ content }) => content);

test("an image in a public reply has an address behind the status link, which displays it", async () => {
  const report = await p.send({}, [await png(30, 20)]);
  const id = await attach(report);
  const replyId = await comment(report, {
    content: `Like this: ![now](${addressOf(report, id)})`,
    is_public: true,
    attachment_ids: [id],
  });
  const address = `${report.api}/images/${replyId}-1`;
  assert.deepEqual(await contents(report), [`Like this: ![now](${address})`]);
  const page = await t.http.get(`/r/${report.token}`);
  assert.ok(page.text.includes(`<img src="${address}" alt="now"`), page.text);
  for (const url of [address, `${report.api}/images/1`]) {
    const { status, headers } = await t.http.get(url);
    assert.deepEqual([status, headers["content-type"]], [200, "image/webp"]);
    assert.match(String(headers["content-disposition"]), /^inline; filename=/);
    assert.match(String(headers["content-security-policy"]), /sandbox; default-src 'none'/);
    assert.equal(headers["x-content-type-options"], "nosniff");
  }
});

test("a file in a public reply that is no image is downloaded", async () => {
  const report = await p.send();
  const id = await attach(report, "server.txt");
  const replyId = await comment(report, {
    content: `[The log](${addressOf(report, id)})`,
    is_public: true,
    attachment_ids: [id],
  });
  const { text, headers } = await t.http.get(`${report.api}/images/${replyId}-1`);
  assert.deepEqual([text, headers["content-disposition"]], ["The log", "attachment; filename=server.txt"]);
});

test("files of internal comments, of the team and of other reports stay closed, even if a public reply names them", async () => {
  const [report, other] = [await p.send(), await p.send({}, [await png()])];
  const [ofTeam, internal, theirs] = [await attach(report), await attach(report), await attach(other)];
  const internalId = await comment(report, { content: "Hm", attachment_ids: [internal] });
  const theirReply = await comment(other, { content: "Yes", is_public: true, attachment_ids: [theirs] });
  const addresses = [
    addressOf(report, ofTeam),
    addressOf(report, internal),
    addressOf(other, theirs),
    addressOf(report, theirs),
  ];
  const content = addresses.map((address) => `![x](${address})`).join("\n");
  const replyId = await comment(report, { content, is_public: true });
  assert.deepEqual(await contents(report), [content]);
  for (const name of ["1", `${internalId}-1`, `${theirReply}-1`, `${replyId}-1`, ofTeam, internal, theirs])
    assert.equal((await t.http.get(`${report.api}/images/${name}`)).status, 404, String(name));
});

test("what the author of the report writes opens no files", async () => {
  const report = await p.send();
  const content = `![x](${addressOf(report, await attach(report))})`;
  assert.equal((await t.http.post(`${report.api}/messages`, { content })).status, 201);
  assert.deepEqual(await contents(report), [content]);
});

test("a file of a public reply is closed once the reply is deleted, and those of other replies keep their addresses", async () => {
  const report = await p.send();
  const ids = [await attach(report), await attach(report)];
  const [first, second] = [
    await comment(report, { content: "One", is_public: true, attachment_ids: ids.slice(0, 1) }),
    await comment(report, { content: "Two", is_public: true, attachment_ids: ids.slice(1) }),
  ];
  assert.equal((await p.admin.delete(`${report.path}/comments/${first}`)).status, 204);
  assert.equal((await t.http.get(`${report.api}/images/${first}-1`)).status, 404);
  assert.equal((await t.http.get(`${report.api}/images/${second}-1`)).status, 200);
});
