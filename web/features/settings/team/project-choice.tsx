import type { Project } from '#contracts/projects.ts';

type Props = {
  /** Null: all projects, later ones too. */
  value: readonly number[] | null;
  projects: readonly Project[];
  onChange: (projectIds: number[] | null) => void;
  error?: string | undefined;
};

/** All projects, or some of them. */
export function ProjectChoice({ value, projects, onChange, error }: Props) {
  const toggle = (id: number, isOn: boolean) =>
    onChange([...(value ?? []).filter((each) => each !== id), ...(isOn ? [id] : [])]);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-13 font-medium">Projects</legend>
      <label className="flex items-center gap-2">
        <input type="radio" name="projects" checked={value === null} onChange={() => onChange(null)} />
        All, later ones too
      </label>
      <label className="flex items-center gap-2">
        <input
          type="radio"
          name="projects"
          checked={value !== null}
          onChange={() => onChange(value === null ? [] : [...value])}
        />
        Chosen
      </label>
      {value !== null && (
        <div className="grid gap-2 pl-6">
          {projects.map(({ id, name }) => (
            <label key={id} className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={value.includes(id)}
                onChange={(event) => toggle(id, event.target.checked)}
              />
              <bdi>{name}</bdi>
            </label>
          ))}
          <p className="text-13 text-muted">
            They see the people with a conversation there, and nothing of other projects.
          </p>
        </div>
      )}
      {error !== undefined && <p className="text-13 text-red-text">{error}</p>}
    </fieldset>
  );
}
