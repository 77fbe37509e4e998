import { clsx } from 'clsx';
import { chooseTheme, useTheme, type ThemeChoice } from '#web/shared/theme.ts';
import { Card } from '#web/shared/ui/card.tsx';

const light = '[--side:oklch(0.97_0.003_80)] [--page:oklch(1_0_0)] [--line:oklch(0.86_0.006_80)]';
const dark = '[--side:oklch(0.164_0.003_60)] [--page:oklch(0.208_0.003_60)] [--line:oklch(0.4_0.005_60)]';

const choices: readonly { theme: ThemeChoice; label: string; halves: readonly string[] }[] = [
  { theme: 'system', label: 'As the system', halves: [light, dark] },
  { theme: 'light', label: 'Light', halves: [light] },
  { theme: 'dark', label: 'Dark', halves: [dark] },
];

/** Light, dark, or whatever the system has. */
export function AppearanceCard() {
  const chosen = useTheme();
  return (
    <Card id="appearance" title="Appearance" description="Only on this device">
      <fieldset className="grid grid-cols-3 gap-3 sm:gap-4">
        <legend className="sr-only">Theme</legend>
        {choices.map(({ theme, label, halves }) => (
          <label key={theme} className="group grid cursor-pointer content-start gap-2 text-13 font-medium">
            <input
              type="radio"
              name="theme"
              checked={chosen === theme}
              onChange={() => chooseTheme(theme)}
              className="peer sr-only"
            />
            <span
              aria-hidden="true"
              className="flex h-19 overflow-hidden rounded-base border border-line-strong group-hover:border-muted peer-checked:border-accent peer-checked:ring-1 peer-checked:ring-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent"
            >
              {halves.map((colours, half) => (
                <MiniPage key={half} className={colours} hasSide={half === 0} />
              ))}
            </span>
            {label}
          </label>
        ))}
      </fieldset>
    </Card>
  );
}

/** A page of the dashboard, drawn small. */
function MiniPage({ className, hasSide }: { className: string; hasSide: boolean }) {
  return (
    <span className={clsx('flex flex-1 bg-(--page)', className)}>
      {hasSide && <span className="w-1/4 max-w-8 bg-(--side)" />}
      <span className="grid flex-1 content-center gap-2 px-2.5">
        <span className="h-1.5 rounded-full bg-(--line)" />
        <span className="h-1.5 w-3/4 rounded-full bg-(--line)" />
        <span className="h-2.5 w-1/2 rounded-full bg-accent" />
      </span>
    </span>
  );
}
