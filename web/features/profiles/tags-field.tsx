import { Plus, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useController } from 'react-hook-form';
import { Field } from '#web/shared/form/field.tsx';
import { useFieldError, type FormOf } from '#web/shared/form/use-zod-form.ts';
import { TagList } from '#web/shared/pick/tag-list.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import type { ProfileFormValues } from './profile-form.ts';

/** A profile's tags: each can be taken away, others are found or made. */
export function TagsField({ form }: { form: FormOf<ProfileFormValues> }) {
  const { field } = useController({ control: form.control, name: 'tags' });
  const error = useFieldError(form, 'tags');
  const tags = field.value;

  const toggle = (tag: string) =>
    field.onChange(tags.includes(tag) ? tags.filter((each) => each !== tag) : [...tags, tag].toSorted());

  return (
    <Field label="Tags" hint="Segments, flows and the list's filters can go by them." error={error}>
      {(control) => (
        <div className="flex flex-wrap items-center gap-1.5">
          {tags.map((tag) => (
            <span
              key={tag}
              className="inline-flex h-7 max-w-full items-center gap-1 rounded-small border pr-0.5 pl-2 text-13"
            >
              <span dir="auto" className="truncate">
                {tag}
              </span>
              <button
                type="button"
                aria-label={`Remove tag ${tag}`}
                onClick={() => toggle(tag)}
                className="grid size-6 place-items-center rounded-small text-muted hover:bg-hover hover:text-ink"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </span>
          ))}
          <Popover.Root>
            <Popover.Trigger asChild>
              <Button
                {...control}
                size="small"
                icon={<Plus aria-hidden="true" className="size-3.5" />}
                onBlur={field.onBlur}
              >
                Add tag
              </Button>
            </Popover.Trigger>
            {/* Beside the button, not in a portal: what belongs to a dialog stays in it. */}
            <Popover.Content
              align="start"
              sideOffset={4}
              collisionPadding={8}
              aria-label="Add tag"
              className="z-60 w-64 max-w-[calc(100vw-2rem)] animate-fade-in rounded-base bg-raised p-1.5 shadow-popover"
            >
              <TagList chosen={tags} onToggle={toggle} canCreate />
            </Popover.Content>
          </Popover.Root>
        </div>
      )}
    </Field>
  );
}
