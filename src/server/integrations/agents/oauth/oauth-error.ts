import { HttpError } from "../../../answers/errors.ts";

type OauthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unsupported_grant_type"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** A 400 as clients expect it (RFC 6749, 5.2). */
export const oauthError = (error: OauthErrorCode, description: string): HttpError =>
  new HttpError(400, description, { error, error_description: description });
