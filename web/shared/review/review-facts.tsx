import { Link } from '@tanstack/react-router';
import type { Review } from '#contracts/reviews.ts';
import { amountsText } from '../costs/cost-lines.tsx';
import { paths } from '../paths.ts';
import { languageName, templateStatusWords } from '../whatsapp-template/template-words.ts';
import { Fact } from './fact.tsx';

/** The template that goes out, in which languages to how many, and the version that is pinned. */
export function TemplateFact({ review: { template = null, languages = [] } }: { review: Partial<Review> }) {
  if (template === null) return null;
  return (
    <Fact name="Template" value={template.name}>
      {languages.map(({ language, status, count }) => (
        <span key={language} className="block">
          {languageName(language)}: {count.toLocaleString('en')}
          {status !== 'approved' && ` (${templateStatusWords[status].word.toLowerCase()}: they wait)`}
        </span>
      ))}
      <span className="block">
        Version <code className="font-mono">{template.version.slice(0, 8)}</code>: if the template changes before all
        have it, sending pauses.
      </span>
    </Fact>
  );
}

/** The expected cost by the account's own prices. */
export function CostFact({ review: { cost = null, will_receive: count = 0 } }: { review: Partial<Review> }) {
  if (cost === null) return null;
  const priced = amountsText(cost.amounts);
  return (
    <Fact name="Cost" value={priced === '' ? 'No price known' : `About ${priced}`}>
      {cost.unpriced > 0 &&
        `${cost.unpriced.toLocaleString('en')} of ${count.toLocaleString('en')} messages have no known price. `}
      By{' '}
      <Link to={paths.prices} className="text-accent-ink underline">
        your price list
      </Link>
      , if all of them are delivered.
    </Fact>
  );
}
