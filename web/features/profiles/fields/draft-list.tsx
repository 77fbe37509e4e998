import { clsx } from 'clsx';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { controlClass } from '#web/shared/form/control-class.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { useProfileFields } from '#web/shared/template/profile-fields.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { readDrafts, retyped, type DraftType, type FieldDraft } from './field-drafts.ts';

const types: readonly { value: DraftType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'json', label: 'JSON' },
];

const answers = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

type DraftListProps = {
  drafts: readonly FieldDraft[];
  onChange: (drafts: FieldDraft[]) => void;
  /** Once somebody tried to save, what is wrong is said where it stands. */
  isChecked: boolean;
};

/** Custom fields, one a line: name, type, value. */
export function DraftList({ drafts, onChange, isChecked }: DraftListProps) {
  const namesId = useId();
  const known = useProfileFields('custom_fields.');
  const { problem } = readDrafts(drafts);
  const set = (index: number, draft: FieldDraft) => onChange([...drafts].with(index, draft));
  return (
    <div className="grid min-w-0 gap-2">
      <datalist id={namesId}>
        {known.map(({ path }) => (
          <option key={path}>{path.slice('custom_fields.'.length)}</option>
        ))}
      </datalist>
      {drafts.length > 0 && (
        <ul className="grid gap-2">
          {drafts.map((draft, index) => (
            <Line
              key={index}
              number={index + 1}
              draft={draft}
              namesId={namesId}
              problem={isChecked && problem?.index === index ? problem.message : undefined}
              onChange={(next) => set(index, next)}
              onRemove={() => onChange(drafts.toSpliced(index, 1))}
            />
          ))}
        </ul>
      )}
      <Button
        variant="ghost"
        size="small"
        icon={<Plus aria-hidden="true" className="size-3.5" />}
        onClick={() => onChange([...drafts, { name: '', type: 'text', text: '' }])}
        className="justify-self-start"
      >
        Add field
      </Button>
      <p className="text-13 text-pretty text-muted">
        What you know beyond this. Segments, flows and messages can use it.
      </p>
    </div>
  );
}

type LineProps = {
  number: number;
  draft: FieldDraft;
  namesId: string;
  problem: string | undefined;
  onChange: (draft: FieldDraft) => void;
  onRemove: () => void;
};

function Line({ number, draft, namesId, problem, onChange, onRemove }: LineProps) {
  const problemId = useId();
  const subject = draft.name.trim() || `field ${number}`;
  const inputClass = clsx(controlClass, 'h-(--control) min-w-0 px-2.5 text-13');
  const state = { 'aria-invalid': problem !== undefined || undefined, 'aria-describedby': problem && problemId };
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_7rem_auto] items-center gap-1.5 sm:grid-cols-[minmax(0,3fr)_7rem_minmax(0,4fr)_auto]">
      <input
        {...state}
        aria-label={`Name of field ${number}`}
        placeholder="plan"
        list={namesId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={draft.name}
        onChange={({ target }) => onChange({ ...draft, name: target.value })}
        className={clsx(inputClass, 'font-mono')}
      />
      <SelectInput
        aria-label={`Type of ${subject}`}
        options={types}
        value={draft.type}
        onChange={({ target }) => onChange(retyped(draft, target.value as DraftType))}
      />
      <div className="min-w-0 max-sm:order-last max-sm:col-span-full">
        {draft.type === 'boolean' ? (
          <SelectInput
            aria-label={`Value of ${subject}`}
            options={answers}
            value={draft.text}
            onChange={({ target }) => onChange({ ...draft, text: target.value })}
          />
        ) : (
          <input
            {...state}
            aria-label={`Value of ${subject}`}
            dir={draft.type === 'text' ? 'auto' : 'ltr'}
            inputMode={draft.type === 'number' ? 'decimal' : undefined}
            autoComplete="off"
            value={draft.text}
            onChange={({ target }) => onChange({ ...draft, text: target.value })}
            className={clsx(inputClass, draft.type !== 'text' && 'font-mono')}
          />
        )}
      </div>
      <IconButton label={`Remove ${subject}`} icon={<X aria-hidden="true" className="size-4" />} onClick={onRemove} />
      {problem !== undefined && (
        <p id={problemId} role="alert" className="col-span-full text-13 text-red-ink">
          {problem}
        </p>
      )}
    </li>
  );
}
