import { ProjectForm } from "../projects/project-form.tsx";

/** Creates the first project and passes its key to the next step. */
export function ProjectStep({ onDone }: { onDone: (key: string) => void }) {
  return <ProjectForm onDone={({ key }) => onDone(key)} />;
}
