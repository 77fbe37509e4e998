import { Link } from '@tanstack/react-router';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { paths } from '#web/shared/paths.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { healthLooks, isStopped } from '#web/shared/ui/health-badge.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';

/** The project's numbers that WhatsApp holds back, and why. */
export function StoppedPhones({ phones }: { phones: readonly PhoneNumber[] }) {
  const format = usePhoneFormat();
  return phones.map(({ id, name, phone_number: digits, health }) => {
    if (health === null || !isStopped(health)) return null;
    const title = name || format(digits);
    const until = health.until === null ? '' : ` until ${formatDateTime(health.until)}`;
    return (
      <Notice
        key={id}
        color="yellow"
        title={`${title} is ${healthLooks[health.state].word.toLowerCase()}${until}`}
        action={
          <Link to={paths.phone} params={{ phoneId: String(id) }} className={buttonClass('secondary', 'small')}>
            See number
            <span className="sr-only"> {title}</span>
          </Link>
        }
      >
        {health.reason}
      </Notice>
    );
  });
}
