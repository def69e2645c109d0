-- Where a project's source code can be read, with {path}, {line} and {release}.
alter table projects add column repository_url_pattern text;
