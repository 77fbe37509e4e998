import { Box, Plus } from 'lucide-react';
import { useState, type ComponentType } from 'react';
import { z } from 'zod';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { CommandMenu } from '#web/shared/ui/command-menu.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { Part } from './part.tsx';

const Named = z.object({ name: z.string().min(1, 'Enter a name') });
const commands = [
  { id: 'projects', label: 'Projects', icon: <Box /> },
  { id: 'new', label: 'New project', icon: <Plus />, aside: 'Create' },
];

/** Goes on for a second, then fails: the dialog stays. */
async function failLater(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 1000);
  });
  throw new Error('An example of a failure');
}

export function DialogParts() {
  return (
    <Part
      title="Dialogs"
      states={{
        plain: <Opened label="Open a dialog" Dialog={PlainDialog} />,
        form: <Opened label="Open a form" Dialog={ExampleForm} />,
        confirm: <Opened label="Ask first" Dialog={ExampleConfirm} />,
        'command menu': <Opened label="Open the commands" Dialog={ExampleMenu} />,
      }}
    />
  );
}

type Closable = { onClose: () => void };

function Opened({ label, Dialog: Shown }: { label: string; Dialog: ComponentType<Closable> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && <Shown onClose={() => setOpen(false)} />}
    </>
  );
}

function PlainDialog({ onClose }: Closable) {
  return (
    <Dialog isOpen onClose={onClose} size="large" title="A dialog" description="What it is for.">
      <DialogBody>
        <p>Its body scrolls when it is too long for the screen.</p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}

function ExampleForm({ onClose }: Closable) {
  const form = useZodForm(Named, { name: '' });
  return (
    <FormDialog
      onClose={onClose}
      title="New Segment"
      form={form}
      onSubmit={failLater}
      submitLabel="Create Segment"
      busyLabel="Creating..."
      failureText="Failed to save segment"
    >
      <TextField form={form} name="name" label="Name" />
    </FormDialog>
  );
}

function ExampleConfirm({ onClose }: Closable) {
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Delete Support US?"
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={failLater}
    >
      This action cannot be undone.
    </ConfirmDialog>
  );
}

function ExampleMenu({ onClose }: Closable) {
  const [query, setQuery] = useState('');
  const found = commands.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()));
  return (
    <CommandMenu
      onClose={onClose}
      label="Commands"
      placeholder="Type p, or something that is not there"
      query={query}
      onQuery={setQuery}
      groups={found.length === 0 ? [] : [{ label: 'Go to', commands: found }]}
      onChoose={() => undefined}
      empty={`Nothing matches “${query}”`}
    />
  );
}
