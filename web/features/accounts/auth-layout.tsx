import type { ReactNode } from 'react';
import { Brand } from '#web/shared/ui/brand.tsx';
import { ThemeSwitch } from '#web/shared/ui/theme-switch.tsx';
import { ProductGlance } from './product-glance.tsx';

type AuthLayoutProps = {
  above?: ReactNode;
  title: string;
  /** Under the title: the way to the other form. */
  intro: ReactNode;
  children: ReactNode;
};

/** A form on the left, what the product does on the right. */
export function AuthLayout({ above, title, intro, children }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh min-[900px]:grid-cols-2">
      <div className="flex min-w-0 flex-col bg-surface px-5 py-5 sm:px-8 sm:py-6">
        <header className="flex items-center justify-between">
          <Brand />
          <ThemeSwitch />
        </header>
        <main className="m-auto grid w-full max-w-90 gap-5 py-8 [--control:40px]">
          <div>
            {above}
            <h1 className="text-28">{title}</h1>
            <div className="mt-1 text-pretty text-muted">{intro}</div>
          </div>
          {children}
        </main>
      </div>
      <ProductGlance />
    </div>
  );
}

export const authLinkClass = 'rounded-[2px] font-medium text-accent-ink underline-offset-3 hover:underline';
