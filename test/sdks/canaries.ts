/** Values that the programs send as users, headers, cookies and bodies. None may be stored. */
export const CANARIES = {
  users: ["canary-user-4711", "canary-user-4712"],
  email: "canary.ann@example.com",
  name: "canary-name",
  ip: "203.0.113.77",
  cookie: "canary-cookie",
  header: "canary-header",
  authorization: "canary-authorization",
  query: "canary-query",
  body: "canary-body",
};

/** The values as environment variables: as JSON, and apart for languages without JSON. */
export const canaryVariables = {
  CANARIES: JSON.stringify(CANARIES),
  CANARY_USERS: CANARIES.users.join(","),
  CANARY_EMAIL: CANARIES.email,
  CANARY_NAME: CANARIES.name,
  CANARY_IP: CANARIES.ip,
};
