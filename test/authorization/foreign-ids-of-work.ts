import type { Answer, Client } from "../support/client.ts";
import {
  issueFields,
  title,
  type ForeignIdCase,
  type ForeignIdCases,
  type OwnProject,
} from "./foreign-id-case.ts";

const report = { title, description: title };

/** Ids in requests about issues, reports, comments and lanes. */
export function foreignIdsOfWork({ path: p, own }: OwnProject): ForeignIdCases {
  const fields = issueFields(own);
  const templateFields = Object.fromEntries(
    Object.entries(fields).filter(([field]) => /^(lane_id|label_ids)/.test(field)),
  );
  const reply = (client: Client, on: string, id: string, parent_id: number) =>
    client.post(`${p}/${on}/${own(id)}/comments`, { content: title, parent_id });
  return {
    ...eachField("a new issue", fields, (client, body) => client.post(`${p}/issues`, { title, ...body })),
    ...eachField("a changed issue", fields, (client, body) =>
      client.patch(`${p}/issues/${own("issueId")}`, body),
    ),
    ...eachField("a promoted report", fields, (client, body) =>
      client.post(`${p}/reports/promote`, { ...report, report_ids: [own("reportId")], ...body }),
    ),
    ...eachField("a new issue template", templateFields, (client, body) =>
      client.post(`${p}/issue-templates`, { name: title, ...body }),
    ),
    ...eachField("a changed issue template", templateFields, (client, body) =>
      client.patch(`${p}/issue-templates/${own("issueTemplateId")}`, body),
    ),
    "report_ids of a promotion": {
      status: 422,
      id: "reportId",
      send: (client, id) => client.post(`${p}/reports/promote`, { ...report, report_ids: [id] }),
    },
    "report_ids of a promotion with one of the project": {
      status: 422,
      id: "reportId",
      send: (client, id) =>
        client.post(`${p}/reports/promote`, { ...report, report_ids: [own("reportId"), id] }),
    },
    "report_ids added to an issue": {
      status: 422,
      id: "reportId",
      send: (client, id) => client.post(`${p}/reports/link`, { report_ids: [id], issue: own("issueId") }),
    },
    "issue to which reports are added": {
      status: 422,
      id: "issueId",
      send: (client, id) => client.post(`${p}/reports/link`, { report_ids: [own("reportId")], issue: id }),
    },
    "error_group_ids of a promotion": {
      status: 422,
      id: "errorGroupId",
      send: (client, id) =>
        client.post(`${p}/reports/promote`, {
          ...report,
          report_ids: [own("reportId")],
          error_group_ids: [id],
        }),
    },
    "report_ids of an error's promotion": {
      status: 422,
      id: "reportId",
      send: (client, id) =>
        client.post(`${p}/error-groups/${own("errorGroupId")}/promote`, { report_ids: [id] }),
    },
    ...Object.fromEntries(
      ["report_id", "rank_before_id", "rank_after_id"].map((field): [string, ForeignIdCase] => [
        `${field} of a reorder`,
        {
          status: 404,
          id: "reportId",
          send: (client, id) =>
            client.post(`${p}/reports/reorder`, { report_id: own("reportId"), [field]: id }),
        },
      ]),
    ),
    "lane_id of a move": {
      status: 422,
      id: "laneId",
      send: (client, id) => client.post(`${p}/issues/${own("issueId")}/move`, { lane_id: id }),
    },
    ...Object.fromEntries(
      ["rank_before_id", "rank_after_id"].map((field): [string, ForeignIdCase] => [
        `${field} of a move`,
        {
          status: 404,
          id: "issueId",
          send: (client, id) => client.post(`${p}/issues/${own("issueId")}/move`, { [field]: id }),
        },
      ]),
    ),
    "parent_id of a comment on an issue": {
      status: 422,
      id: "issueCommentId",
      send: (client, id) => reply(client, "issues", "issueId", id),
    },
    "parent_id of a comment on an epic": {
      status: 422,
      id: "epicCommentId",
      send: (client, id) => reply(client, "epics", "epicId", id),
    },
    "parent_id on an epic that is a comment on an issue": {
      status: 422,
      id: "issueCommentId",
      of: ["A", "B", "C"],
      send: (client, id) => reply(client, "epics", "epicId", id),
    },
    "parent_id on an issue that is a comment on an epic": {
      status: 422,
      id: "epicCommentId",
      of: ["A", "B", "C"],
      send: (client, id) => reply(client, "issues", "issueId", id),
    },
    "attachment_ids of a comment on an issue": {
      status: 422,
      id: "issueAttachmentId",
      send: (client, id) =>
        client.post(`${p}/issues/${own("issueId")}/comments`, { content: title, attachment_ids: [id] }),
    },
    "move_to of a deleted lane": {
      status: 422,
      id: "laneId",
      send: (client, id) => client.delete(`${p}/lanes/${own("fullLaneId")}?move_to=${id}`),
    },
  };
}

function eachField(
  where: string,
  fields: ReturnType<typeof issueFields>,
  send: (client: Client, body: Record<string, unknown>) => Promise<Answer>,
): ForeignIdCases {
  return Object.fromEntries(
    Object.entries(fields).map(([field, [id, value]]): [string, ForeignIdCase] => [
      `${field} of ${where}`,
      {
        status: 422,
        id,
        send: (client, one) => send(client, { [field.split(" ", 1).join()]: value(one) }),
      },
    ]),
  );
}
