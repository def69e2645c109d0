-- For the groups of an exception class, newest first. The hash keeps long names out of the index.
create index error_group_classes_by_class on error_group_classes
  (project_id, hashtextextended(exception_class, 0), group_id);
