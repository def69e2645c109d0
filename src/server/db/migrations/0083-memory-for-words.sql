-- With a million issues, the entries of common words exceed 4 MB. PostgreSQL would then keep only the pages with matches and compare all
-- issues on them. The memory is allocated as needed.
alter function issues_with_words(bigint[], tsquery, integer) set work_mem = '32MB';
