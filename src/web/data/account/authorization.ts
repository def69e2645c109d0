import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { Authorization, Consent, consentBody } from "../../../shared/oauth.ts";
import { api, withQuery } from "../../api/client.ts";

/** An app's request for access, with the parameters of its address. Read once, because the app may have to be asked. */
export const authorizationQuery = (request: Record<string, string | undefined>) =>
  queryOptions({
    queryKey: ["authorization", request],
    queryFn: ({ signal }) => api.get<Authorization>(withQuery("/api/oauth/authorization", request), signal),
    staleTime: Infinity,
    retry: false,
  });

/** Grants or refuses the request. The answer says where the browser goes next. */
export const decideAuthorization = (
  request: Record<string, string | undefined>,
  decision: Pick<z.input<typeof consentBody>, "approve" | "scopes" | "project_ids">,
) => api.post<Consent>("/api/oauth/consent", { ...request, ...decision });
