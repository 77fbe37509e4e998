import { Link2 } from 'lucide-react';
import type { MessagePreview } from '#contracts/message-content.ts';

/** The page of a link. A message from outside names its own words for it: the host says where it leads. */
export function LinkCard({ preview: { url, title, description, picture } }: { preview: MessagePreview }) {
  const target = webAddress(url);
  const content = (
    <>
      {picture !== null && <img src={picture} alt="" className="row-span-3 size-14 rounded-small object-cover" />}
      <b className="line-clamp-2 font-medium wrap-anywhere">{title}</b>
      {description !== null && <span className="line-clamp-2 text-chat-meta wrap-anywhere">{description}</span>}
      <span className="flex items-center gap-1 text-12 text-chat-meta">
        <Link2 aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="truncate">{target?.host ?? url}</span>
      </span>
    </>
  );
  const className = `${picture === null ? '' : 'grid-cols-[auto_minmax(0,1fr)] gap-x-2.5'} mb-1 grid min-w-48 content-center gap-y-0.5 rounded-small border-l-3 border-accent bg-[oklch(0_0_0/0.05)] px-2.5 py-1.5 text-13 dark:bg-[oklch(0_0_0/0.2)]`;
  if (target === null) return <span className={className}>{content}</span>;
  return (
    <a
      href={target.href}
      target="_blank"
      rel="noreferrer"
      className={`${className} hover:bg-[oklch(0_0_0/0.08)] dark:hover:bg-[oklch(0_0_0/0.3)]`}
    >
      {content}
      <span className="sr-only">(opens another tab)</span>
    </a>
  );
}

/** Handsets name links with or without their protocol; another one than the web's leads nowhere. */
function webAddress(url: string): URL | null {
  const parsed = URL.parse(/^[a-z][a-z\d+.-]*:/i.test(url) ? url : `https://${url}`);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed : null;
}
