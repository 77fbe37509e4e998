const questions = [
  {
    question: 'When am I charged?',
    answer: 'Today, then each month on the same day, through PayPal. We never see your card.',
  },
  {
    question: 'Can I cancel?',
    answer: 'At any time, in Settings. You keep access until the period you paid for ends.',
  },
  {
    question: 'What if a payment fails?',
    answer: 'You have three days to settle it. Waiting messages are kept and go out afterwards.',
  },
] as const;

/** Answers common questions before paying. */
export function Questions() {
  return (
    <dl className="mt-8 divide-y border-y max-[900px]:mt-0">
      {questions.map(({ question, answer }) => (
        <div key={question} className="py-4">
          <dt className="font-medium">{question}</dt>
          <dd className="mt-0.5 text-pretty text-muted">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}
