import { searchAnswer, searchQuery } from "../../shared/search.ts";
import type { Api } from "../access/context.ts";
import { search } from "./search.ts";

export function searchRoutes(api: Api) {
  api.get(
    "/api/search",
    {
      config: { needs: "caller", projectToken: "read", area: "any" },
      schema: {
        operationId: "search",
        summary: "Search what the caller may read",
        querystring: searchQuery,
        response: { 200: searchAnswer },
      },
    },
    (request) => search(request.db, request.caller, request.query),
  );
}
