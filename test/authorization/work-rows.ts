import { errors, forTokens, P, read, remove, reports, turn, write, type Row } from "./row.ts";
import * as rule from "./rules.ts";

const FEATURES = { issue: {}, epic: {}, "error-group": errors, report: reports };

/** `:errorGroupId` */
const idOf = (kind: rule.Commented) => `:${kind === "error-group" ? "errorGroup" : kind}Id`;

export const WORK_ROWS: Record<string, Row> = {
  [`GET ${P}/epics`]: read("epics:read"),
  [`POST ${P}/epics`]: write("epics:create"),
  [`GET ${P}/epics/:epicId`]: read("epics:read"),
  [`PATCH ${P}/epics/:epicId`]: write("epics:update", { title: 5 }),
  [`DELETE ${P}/epics/:epicId`]: remove("epics:delete"),
  "GET /api/issues": read("caller"),
  [`GET ${P}/issues`]: read("issues:read"),
  [`POST ${P}/issues`]: write("issues:create"),
  [`GET ${P}/issues/:issueId`]: read("issues:read"),
  [`PATCH ${P}/issues/:issueId`]: write("issues:update", { title: 5 }),
  [`DELETE ${P}/issues/:issueId`]: remove("issues:delete"),
  [`POST ${P}/issues/assign-sprint`]: write("issues:update"),
  [`POST ${P}/issues/:issueId/move`]: write("issues:update", { lane_id: "one" }),
  [`GET ${P}/issues/:issueId/activity`]: read("issues:read"),
  [`GET ${P}/issues/:issueId/watch`]: read("issues:read"),
  [`POST ${P}/issues/:issueId/watch`]: turn("issues:read"),
  [`PUT ${P}/issues/:issueId/watch`]: write("issues:read"),
  ...commentRows("issue"),
  ...commentRows("epic"),
  ...commentRows("error-group"),
  ...commentRows("report"),
  [`POST ${P}/attachments`]: write("attachments:create", undefined, {
    form: true,
    rule: rule.needs("issues:create"),
  }),
  // No user has added the file to a draft, so no caller can find it.
  [`GET ${P}/attachments/:draftFileId/download`]: read("attachments:create", {
    status: 404,
    rule: rule.needs("issues:create"),
  }),
  ...attachmentRows("issue"),
  ...attachmentRows("epic"),
  ...attachmentRows("error-group"),
  ...attachmentRows("report"),

  "GET /api/notifications": read("caller"),
  "GET /api/notifications/unread-count": read("caller"),
  "GET /api/push-key": read("session"),
  "POST /api/push-subscriptions": write("session"),
  "DELETE /api/push-subscriptions": write("session"),
  "GET /api/notifications/unread-counts": read("caller"),
  "POST /api/notifications/bulk-snooze": write("caller"),
  "POST /api/notifications/read-all": turn("caller", { status: 204 }),
  "POST /api/notifications/bulk-read": write("caller"),
  "POST /api/notifications/bulk-unread": write("caller"),
  "POST /api/notifications/bulk-delete": write("caller"),
  "GET /api/search": write("caller", undefined, forTokens),
  "GET /api/events": read("caller", { endless: true }),
};

function commentRows(kind: rule.Commented): Record<string, Row> {
  const feature = FEATURES[kind];
  const comments = `${P}/${kind}s/${idOf(kind)}/comments`;
  const comment = `${comments}/:commentId`;
  return {
    [`GET ${comments}`]: read(`${kind}s:read`, feature),
    [`POST ${comments}`]: write("comments:create", {}, { ...feature, rule: rule.needs(`${kind}s:read`) }),
    [`PUT ${comment}`]: write("access", {}, { ...feature, rule: rule.changesComment(kind) }),
    [`DELETE ${comment}`]: remove("access", { ...feature, rule: rule.changesComment(kind) }),
    [`POST ${comment}/pin`]: turn(`${kind}s:update`, feature),
    [`DELETE ${comment}/pin`]: turn(`${kind}s:update`, feature),
    [`POST ${comment}/like`]: turn(`${kind}s:read`, feature),
  };
}

/** The attachments of reports themselves have rows of their own. */
function attachmentRows(kind: rule.Commented): Record<string, Row> {
  const feature = FEATURES[kind];
  const target = `${P}/${kind}s/${idOf(kind)}`;
  const mayRead = rule.needs(`${kind}s:read`);
  const rows = (url: string, mayAdd: rule.Rule): Record<string, Row> => ({
    [`GET ${url}`]: read(`${kind}s:read`, feature),
    [`GET ${url}/:attachmentId/download`]: read(`${kind}s:read`, feature),
    [`POST ${url}`]: write("attachments:create", undefined, { ...feature, form: true, rule: mayAdd }),
    [`DELETE ${url}/:attachmentId`]: remove("access", { ...feature, rule: rule.deletesAttachment(kind) }),
  });
  return {
    ...(kind === "report" ? {} : rows(`${target}/attachments`, mayRead)),
    ...rows(
      `${target}/comments/:commentId/attachments`,
      (who, on) => mayRead(who, on) ?? rule.changesComment(kind)(who, on),
    ),
  };
}
