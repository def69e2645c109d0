import { useNavigate, useSearch } from "@tanstack/react-router";
import { FilterSelect } from "../kit/filter-select.tsx";
import { given } from "../page/search-params.ts";

/** Selects the environment whose health is shown. Hidden if there is only one to select. */
export function EnvironmentFilter({ environments }: { environments: readonly string[] }) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { environment = "" } = search;
  if (environments.length < 2 && environment === "") return null;
  const names =
    environment === "" || environments.includes(environment) ? environments : [...environments, environment];
  return (
    <FilterSelect
      label="Environment"
      none="All environments"
      choices={names.map((name) => ({ value: name, label: name }))}
      value={environment}
      onChange={(next) =>
        void navigate({ to: ".", search: given({ ...search, environment: next }), replace: true })
      }
    />
  );
}
