import assert from "node:assert/strict";
import { test } from "node:test";
import { tagOf } from "./tags.ts";

for (const [path, section] of [
  ["/reports/{reportId}/dismiss", "Reports"],
  ["/error-groups/{errorGroupId}/reports", "Reports"],
  ["/reports/{reportId}/comments/{commentId}/like", "Comments"],
  ["/reports/{reportId}/comments/{commentId}/attachments", "Attachments"],
  ["/reports/watch", "Watching"],
  ["/feedback", "Feedback"],
  ["/feedback/identity-secret", "Feedback"],
  ["/events/{clientEventId}", "Error events"],
  ["/fix-release", "Releases"],
  ["/release", "Releases"],
  ["/counts", "Projects"],
] as const)
  test(`the reference lists ${path} of a project under ${section}`, () =>
    assert.equal(tagOf(`/api/projects/{project}${path}`), section));

for (const [path, section] of [
  ["/api/forms/{formKey}", "Feedback"],
  ["/api/home", "Profile"],
  ["/api/home/visit", "Profile"],
  ["/api/reads", "Profile"],
  ["/api/boot", "Profile"],
  ["/api/health", "Operation"],
  ["/api/metrics", "Operation"],
] as const)
  test(`the reference lists ${path} under ${section}`, () => assert.equal(tagOf(path), section));
