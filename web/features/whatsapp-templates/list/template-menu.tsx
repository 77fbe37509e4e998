import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Languages, Pencil, Trash2 } from 'lucide-react';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { paths } from '#web/shared/paths.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu, type MenuItem } from '#web/shared/ui/menu.tsx';
import { languageName } from '#web/shared/whatsapp-template/template-words.ts';

type TemplateMenuProps = {
  template: WhatsappTemplate;
  canWrite: boolean;
  onDelete: (template: WhatsappTemplate) => void;
};

export function TemplateMenu({ template, canWrite, onDelete }: TemplateMenuProps) {
  const navigate = useNavigate();
  const { id, name, language } = template;
  const open: MenuItem = {
    label: canWrite ? 'Edit' : 'Open',
    icon: <Pencil aria-hidden="true" className="size-4" />,
    onSelect: () => void navigate({ to: paths.whatsappTemplate, params: { whatsappTemplateId: String(id) } }),
  };
  const change: MenuItem[] = [
    {
      label: 'Duplicate into a language',
      icon: <Languages aria-hidden="true" className="size-4" />,
      onSelect: () => void navigate({ to: paths.newWhatsappTemplate, search: { from: id } }),
    },
    'separator',
    {
      label: 'Delete',
      danger: true,
      icon: <Trash2 aria-hidden="true" className="size-4" />,
      onSelect: () => onDelete(template),
    },
  ];
  return (
    <Menu
      trigger={
        <IconButton
          label={`More actions for ${name}, ${languageName(language)}`}
          icon={<Ellipsis aria-hidden="true" className="size-4" />}
        />
      }
      items={canWrite ? [open, ...change] : [open]}
    />
  );
}
