-- The areas and projects that a personal token is limited to; null without a limit. The projects are an array rather than a
-- table: a token whose projects are all deleted must stay limited.
alter table personal_tokens
  add column scopes text[],
  add column project_ids bigint[],
  add constraint personal_tokens_scope check ((scopes is null) = (project_ids is null));
