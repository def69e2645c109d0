import {
  ISSUE_FILTERS,
  type ForeignIdCase,
  type ForeignIdCases,
  type OwnProject,
} from "./foreign-id-case.ts";

const across = { of: ["B", "C"], administrator: "not" } as const;

/** Ids in filters and in requests about several things at once. */
export function foreignIdsOfLists({ path: p, own }: OwnProject): ForeignIdCases {
  return {
    ...Object.fromEntries(
      ["bulk-read", "bulk-unread", "bulk-delete", "bulk-snooze"].map((verb): [string, ForeignIdCase] => [
        `notification_ids of ${verb}`,
        {
          status: 422,
          id: "notificationId",
          send: (client, id) =>
            client.post(`/api/notifications/${verb}`, { notification_ids: [id], until: null }),
        },
      ]),
    ),
    "ids of a project's reports": {
      status: 200,
      id: "reportId",
      send: (client, id) => client.get(`${p}/reports?ids=${id}`),
    },
    "error_group_ids of a bulk status": {
      status: 200,
      id: "errorGroupId",
      ...across,
      send: (client, id) =>
        client.post("/api/error-groups/bulk-status", { error_group_ids: [id], status: 2 }),
    },
    "error_group_ids of a bulk assignment": {
      status: 200,
      id: "errorGroupId",
      ...across,
      send: (client, id) =>
        client.post("/api/error-groups/bulk-assign", { error_group_ids: [id], assignee_id: null }),
    },
    "error_group_ids of a merge": {
      status: 422,
      id: "errorGroupId",
      send: (client, id) =>
        client.post(`${p}/error-groups/${own("errorGroupId")}/merge`, { error_group_ids: [id] }),
    },
    "assignee_id of an error group": {
      status: 422,
      id: "userId",
      send: (client, id) => client.patch(`${p}/error-groups/${own("errorGroupId")}`, { assignee_id: id }),
    },
    ...Object.fromEntries(
      Object.entries(ISSUE_FILTERS).flatMap(([filter, id]): [string, ForeignIdCase][] => [
        [
          `${filter} of all issues`,
          { status: 200, id, ...across, send: (client, one) => client.get(`/api/issues?${filter}=${one}`) },
        ],
        [
          `${filter} of a project's issues`,
          { status: 200, id, send: (client, one) => client.get(`${p}/issues?${filter}=${one}`) },
        ],
      ]),
    ),
    ...Object.fromEntries(
      ["error-groups?", "notifications?", "search?query=MARKER&"].map((path): [string, ForeignIdCase] => [
        `project_id of ${path.split("?", 1).join()}`,
        {
          status: 200,
          id: "projectId",
          ...across,
          send: (client, id) => client.get(`/api/${path}project_id=${id}`),
        },
      ]),
    ),
  };
}
