import { useContext, type ReactNode } from 'react';
import { BrandMark } from '#web/shared/ui/brand.tsx';
import { HasMain } from './has-main.ts';

type MessagePageProps = { title: string; text: string; children: ReactNode };

export function MessagePage({ title, text, children }: MessagePageProps) {
  const Frame = useContext(HasMain) ? 'div' : 'main';
  return (
    <Frame className="grid min-h-[70dvh] content-center justify-items-center gap-2 p-6 text-center">
      <BrandMark className="mb-3 size-10" />
      <h1 className="text-20">{title}</h1>
      <p className="max-w-[44ch] text-pretty text-muted">{text}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">{children}</div>
    </Frame>
  );
}
