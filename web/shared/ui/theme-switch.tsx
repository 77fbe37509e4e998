import { Monitor, Moon, Sun } from 'lucide-react';
import { chooseTheme, useTheme, type ThemeChoice } from '../theme.ts';
import { IconButton } from './icon-button.tsx';

const looks = {
  system: { icon: Monitor, next: 'light' },
  light: { icon: Sun, next: 'dark' },
  dark: { icon: Moon, next: 'system' },
} as const satisfies Record<ThemeChoice, { icon: unknown; next: ThemeChoice }>;

/** A single button through system, light and dark. */
export function ThemeSwitch() {
  const theme = useTheme();
  const { icon: Icon, next } = looks[theme];
  return (
    <IconButton
      label={`Theme: ${theme}. Switch to ${next}`}
      icon={<Icon aria-hidden="true" className="size-4" />}
      onClick={() => chooseTheme(next)}
    />
  );
}
