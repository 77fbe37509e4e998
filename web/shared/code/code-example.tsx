import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { CodeBlock } from './code-block.tsx';
import type { CodeLanguage } from './highlight.ts';

const copyTexts = { copied: 'Code copied to clipboard!', failed: 'Failed to copy code.' };

const languageNames: Record<CodeLanguage, string> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  json: 'JSON',
};

export type CodeSample = { language: CodeLanguage; code: string };

type CodeExampleProps = {
  /** The purpose of the code; heads a single sample, names the tabs of several. */
  label: string;
  samples: readonly [CodeSample, ...CodeSample[]];
  /** A key in the code: covered until asked for, and copied with the rest. `label` names it: 'auth key'. */
  secret?: { value: string; label: string };
};

/** Code with a Copy button; several languages become tabs. */
export function CodeExample({ label, samples, secret }: CodeExampleProps) {
  const [language, setLanguage] = useState(samples[0].language);
  const shown = samples.find((sample) => sample.language === language) ?? samples[0];
  const [isSecretShown, setSecretShown] = useState(false);
  const visible = (sample: CodeSample) =>
    secret === undefined || isSecretShown ? sample : { ...sample, code: cover(sample.code, secret.value) };
  const copy = (
    <div className="flex items-center">
      {secret !== undefined && (
        <IconButton
          size="small"
          label={`${isSecretShown ? 'Hide' : 'Show'} ${secret.label} in ${label}`}
          icon={isSecretShown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
          onClick={() => setSecretShown(!isSecretShown)}
        />
      )}
      <CopyButton value={shown.code} label="Copy" texts={copyTexts} variant="ghost" />
    </div>
  );
  return (
    <div className="min-w-0 overflow-hidden rounded-base border bg-sunken">
      {samples.length === 1 ? (
        <>
          <div className="flex min-h-10 items-center justify-between gap-2 border-b pr-1.5 pl-4">
            <h3 className="text-13 font-medium text-muted">{label}</h3>
            {copy}
          </div>
          <CodeBlock {...visible(shown)} label={label} />
        </>
      ) : (
        <Tabs
          label={label}
          value={language}
          onChange={(id) => setLanguage(id as CodeLanguage)}
          actions={copy}
          tabs={samples.map((sample) => ({
            id: sample.language,
            label: languageNames[sample.language],
            content: <CodeBlock {...visible(sample)} label={`${label}, ${languageNames[sample.language]}`} />,
          }))}
        />
      )}
    </div>
  );
}

const shownStart = 4;
const coverLength = 12;

/** The key's kind stays readable; dots stand for the rest. */
function cover(code: string, secret: string): string {
  if (secret === '') return code;
  return code.replaceAll(secret, secret.slice(0, shownStart) + '•'.repeat(coverLength));
}
