alter table projects add column group_by_mapped_frames boolean not null default false;

-- Where the positions of minified files are in the original code, so that an event can be grouped by it without parsing a source map. Written
-- at upload for projects that group by mapped frames. A row has consecutive segments of a line, from this column on; both count from 1.
create table artifact_positions (
  file_id bigint not null references artifact_files on delete cascade,
  line integer not null,
  first_column integer not null,
  segments text not null,
  primary key (file_id, line, first_column)
);
alter table artifact_files add column indexed_at timestamptz;

-- The fingerprints of events by their mapped frames, by the fingerprint of their frames as sent. `lines` explain the grouping.
create table mapped_fingerprints (
  project_id bigint not null references projects on delete cascade,
  fingerprint bytea not null,
  mapped bytea not null,
  lines jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, fingerprint)
);
create index mapped_fingerprints_by_time on mapped_fingerprints (created_at);
