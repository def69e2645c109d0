-- Source maps and the minified files that they belong to. The content of each is stored once per project.
create table artifact_files (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  sha256 bytea not null,
  size bigint not null,
  storage_key text not null unique,
  created_at timestamptz not null default clock_timestamp(),
  unique (project_id, sha256)
);

create table artifacts (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- Null if the upload named no release: then the file is found by its debug id.
  release_id bigint references releases on delete cascade,
  file_id bigint not null references artifact_files on delete cascade,
  -- `~/` and a path.
  name text collate "C" not null,
  type text not null check (type in ('source_map', 'source')),
  debug_id uuid,
  -- Of a source: the name of its source map, or null if the file names none.
  map_name text collate "C",
  created_at timestamptz not null default clock_timestamp(),
  check (release_id is not null or debug_id is not null)
);
-- Names can be longer than what an index stores.
create unique index artifacts_of_release on artifacts (release_id, md5(name)) where release_id is not null;
create unique index artifacts_without_release on artifacts (project_id, debug_id, type) where release_id is null;
create index artifacts_by_debug_id on artifacts (project_id, debug_id) where debug_id is not null;
create index artifacts_by_file on artifacts (file_id);

-- Parts of uploads, by their checksum, for a day: a client that was interrupted continues with those that it has not sent. They belong
-- to the project of the token that sent them, or to the user of a personal token, who names the projects only afterwards.
create table artifact_chunks (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  user_id bigint references users on delete cascade,
  sha1 bytea not null,
  size bigint not null,
  storage_key text not null unique,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(project_id, user_id) = 1)
);
create unique index artifact_chunks_of_project on artifact_chunks (project_id, sha1) where project_id is not null;
create unique index artifact_chunks_of_user on artifact_chunks (user_id, sha1) where user_id is not null;
create index artifact_chunks_by_time on artifact_chunks (created_at);

-- Removes the files that no artifact uses any more. They are locked first, so that an upload of the same content either is seen by the
-- second statement or stores the content again. A file that an upload has locked stays; the daily job removes it if that upload fails.
create function delete_unused_artifact_files(ids bigint[]) returns void language plpgsql as $$
declare
  locked bigint[];
begin
  select array_agg(id) into locked from (
    select id from artifact_files where id = any(ids) order by id for update skip locked
  ) f;
  delete from artifact_files f where f.id = any(locked) and not exists (select from artifacts a where a.file_id = f.id);
end $$;
create function delete_files_of_deleted_artifacts() returns trigger language plpgsql as $$
begin
  perform delete_unused_artifact_files(array(select distinct file_id from gone));
  return null;
end $$;
create trigger delete_files_of_deleted_artifacts after delete on artifacts
  referencing old table as gone for each statement execute function delete_files_of_deleted_artifacts();

create trigger add_project_storage after insert on artifact_files
  referencing new table as added for each statement execute function add_project_storage();
create trigger subtract_project_storage after delete on artifact_files
  referencing old table as gone for each statement execute function subtract_project_storage();
create trigger artifact_files_file_deletions after delete on artifact_files
  referencing old table as gone for each statement execute function note_file_deletions();

create trigger artifact_chunks_file_deletions after delete on artifact_chunks
  referencing old table as gone for each statement execute function note_file_deletions();

-- What Sentry's clients say of a release: its newest commit, and when it was finished.
alter table releases add column commit text, add column released_at timestamptz;
