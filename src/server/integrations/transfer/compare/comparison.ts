/** A group of errors on one of the servers, with its events of the compared days. */
export type ComparedGroup = {
  id: string;
  title: string;
  count: number;
  url: string | null;
};

export type GroupDifference = {
  there: ComparedGroup[];
  here: ComparedGroup[];
  count_there: number;
  count_here: number;
};

export type ComparedRule = {
  name: string;
  /** Kinds of conditions in our terms, as far as there are such; any of them lets the rule fire. */
  kinds: string[];
  /** Null if the rule is about all of them. */
  environment: string | null;
  /** `email`, `webhook`, `issue`, `assign`, or the other server's name of something else. */
  actions: string[];
};

/** What differs between a project of a Sentry-compatible server and ours. */
export type Comparison = {
  /** The first compared day (UTC). */
  since: string;
  matched: number;
  only_there: ComparedGroup[];
  only_here: ComparedGroup[];
  different_counts: GroupDifference[];
  /** Groups there whose events of these days could not be counted. */
  not_counted: ComparedGroup[];
  /** Alert rules there without counterpart here. Null if that server does not tell its rules. */
  missing_rules: ComparedRule[] | null;
};

export const hasDifferences = ({
  only_there,
  only_here,
  different_counts,
  not_counted,
  missing_rules,
}: Comparison): boolean =>
  [only_there, only_here, different_counts, not_counted, missing_rules ?? []].some((list) => list.length > 0);
