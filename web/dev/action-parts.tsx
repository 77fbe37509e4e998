import { MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { RowAction, RowActions } from '#web/shared/table/row-action.tsx';
import { Button, buttonClass, type ButtonVariant } from '#web/shared/ui/button.tsx';
import { CopyButton } from '#web/shared/ui/copy-button.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { Tabs } from '#web/shared/ui/tabs.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { Tooltip } from '#web/shared/ui/tooltip.tsx';
import { Part } from './part.tsx';

const variants: readonly ButtonVariant[] = ['primary', 'secondary', 'ghost', 'danger', 'ghost-danger'];
const plus = <Plus aria-hidden="true" className="size-4" />;
const texts = { copied: 'Code copied to clipboard!', failed: 'Failed to copy code.' };
const nothing = () => undefined;

export function ActionParts() {
  return (
    <>
      <Part
        title="Button"
        states={{
          ...Object.fromEntries(variants.map((variant) => [variant, <ButtonStates key={variant} variant={variant} />])),
          link: (
            <a href="#link" className={buttonClass('primary')}>
              A link that acts as a button
            </a>
          ),
        }}
      />
      <Part
        title="Icon button, menu, tooltip"
        states={{
          'icon button': (
            <>
              <IconButton label="Edit" icon={<Pencil className="size-4" />} />
              <IconButton label="Edit, small" size="small" icon={<Pencil className="size-4" />} />
              <IconButton label="Edit, disabled" disabled icon={<Pencil className="size-4" />} />
            </>
          ),
          menu: (
            <Menu
              trigger={<IconButton label="More" icon={<MoreHorizontal className="size-4" />} />}
              items={[
                { label: 'Rename', icon: <Pencil className="size-4" />, onSelect: nothing },
                { label: 'Not now', disabled: true, onSelect: nothing },
                'separator',
                { label: 'Delete', icon: <Trash2 className="size-4" />, danger: true, onSelect: nothing },
              ]}
            />
          ),
          tooltip: (
            <Tooltip text="Appears on hover and on focus">
              <button type="button" className={buttonClass()}>
                Hover or focus
              </button>
            </Tooltip>
          ),
          'row actions': (
            <RowActions>
              <RowAction label="Edit" subject="Germany" icon={<Pencil className="size-4" />} onClick={nothing} />
              <RowAction
                label="Delete"
                subject="Germany"
                danger
                icon={<Trash2 className="size-4" />}
                onClick={nothing}
              />
            </RowActions>
          ),
        }}
      />
      <Part
        title="Copying"
        states={{
          button: <CopyButton value="1" label="Copy" texts={texts} />,
          icon: <CopyButton value="1" label="Copy it" iconOnly texts={texts} />,
          field: <CopyField label="Auth key" value="dpa_bARpoKkzbfa0bcdglLuWAz01tv7Cqc" texts={texts} />,
          secret: <CopyField label="Signing secret" value="whsec_dGVzdA==" secret hint="Keep it." texts={texts} />,
        }}
      />
      <Part title="Tabs" states={{ tabs: <TabsExample /> }} />
      <Part
        title="Toasts"
        states={{
          kinds: (
            <>
              <Button onClick={() => notify.success('Message sent successfully')}>Success</Button>
              <Button onClick={() => notify.error('Failed to send message')}>Error</Button>
              <Button onClick={() => notify.info('Stopped. Sent: 2, Failed: 0')}>Info</Button>
            </>
          ),
        }}
      />
    </>
  );
}

function ButtonStates({ variant }: { variant: ButtonVariant }) {
  return (
    <>
      <Button variant={variant}>Medium</Button>
      <Button variant={variant} size="small">
        Small
      </Button>
      <Button variant={variant} size="large">
        Large
      </Button>
      <Button variant={variant} icon={plus}>
        With an icon
      </Button>
      <Button variant={variant} disabled>
        Disabled
      </Button>
      <Button variant={variant} busy="Saving...">
        Busy
      </Button>
    </>
  );
}

function TabsExample() {
  const [value, setValue] = useState('curl');
  const tabs = ['curl', 'JavaScript', 'Python'].map((label) => ({
    id: label,
    label,
    content: <p className="p-4">The panel of {label}</p>,
  }));
  return <Tabs label="Examples" tabs={tabs} value={value} onChange={setValue} />;
}
