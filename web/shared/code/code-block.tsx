import { clsx } from 'clsx';
import { highlight, type CodeLanguage, type CodeSpan } from './highlight.ts';

const inks: Record<CodeSpan['kind'], string | undefined> = {
  keyword: 'text-code-keyword',
  string: 'text-code-string',
  number: 'text-code-number',
  comment: 'text-code-comment',
  plain: undefined,
};

type CodeBlockProps = { code: string; language: CodeLanguage; label: string; className?: string };

/** Coloured code that scrolls by itself; it takes the focus, so that the keyboard can scroll it too (WCAG 2.1.1). */
export function CodeBlock({ code, language, label, className }: CodeBlockProps) {
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region takes the focus
      tabIndex={0}
      role="region"
      aria-label={label}
      className={clsx('overflow-x-auto px-4 py-3.5 text-13 text-code focus-visible:-outline-offset-2', className)}
    >
      <code>
        {highlight(code, language).map(({ kind, text }, index) => (
          <span key={index} className={inks[kind]}>
            {text}
          </span>
        ))}
      </code>
    </pre>
  );
}
