-- What a project keeps of the events of SDKs: the variables of stack frames, and events of level debug.
alter table projects
  add column keep_vars boolean not null default false,
  add column keep_debug_events boolean not null default false;
