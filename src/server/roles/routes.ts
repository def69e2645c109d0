import type { Api, Context } from "../app.ts";
import { pageQuery } from "../http/page.ts";
import { listRoles } from "./roles.ts";

export function roleRoutes(api: Api, { database: { db } }: Context) {
  api.get(
    "/api/workspaces/:workspaceId/roles",
    { config: { needs: "member" }, schema: { querystring: pageQuery } },
    (request) => listRoles(db, request.workspaceId, request.query),
  );
}
