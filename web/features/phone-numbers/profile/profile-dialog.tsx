import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { connectorTraits } from '#contracts/connectors.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { longestAbout, longestShownName, type PhoneProfile } from '#contracts/phone-profile.ts';
import { mediaRules } from '#contracts/media.ts';
import { callApi } from '#web/shared/api.ts';
import { chooseFile } from '#web/shared/attach/choose-file.ts';
import { uploadFile } from '#web/shared/attach/upload-file.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { Photo } from '#web/shared/ui/photo.tsx';
import { profileQuery } from './profile-query.ts';

const shownName = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(longestShownName, `Use at most ${longestShownName} characters`);

const ProfileForm = z.object({
  name: shownName,
  about: z.string().trim().max(longestAbout, `Use at most ${longestAbout} characters`),
  /** A file that was chosen, null for none, undefined for the one that is there. */
  photo: z.instanceof(File).nullable().optional(),
});

/** Meta reviews the name of an official number, and takes neither its text nor its photo away. */
const OfficialForm = ProfileForm.extend({
  name: z.string(),
  about: z.string().trim().min(1, 'Enter a text').max(longestAbout, `Use at most ${longestAbout} characters`),
});

type ProfileDialogProps = { phone: PhoneNumber; profile: PhoneProfile; onClose: () => void };

export function ProfileDialog({ phone, profile, onClose }: ProfileDialogProps) {
  const queryClient = useQueryClient();
  const isOfficial = connectorTraits[phone.connector].link === 'credentials';
  const form = useZodForm(isOfficial ? OfficialForm : ProfileForm, {
    name: profile.name ?? '',
    about: profile.about ?? '',
  });
  const urlOf = useObjectUrls();
  const [shown, setShown] = useState(profile.photo);

  function setPhoto(file: File | null): void {
    form.setValue('photo', file, { shouldDirty: true });
    setShown(file && urlOf(file));
  }

  async function save({ name, about, photo: file }: z.output<typeof ProfileForm>): Promise<void> {
    const uploaded = file ? await upload(file, phone.project_id) : file;
    const body = {
      ...(name !== (profile.name ?? '') && { name }),
      ...(about !== (profile.about ?? '') && { about: about || null }),
      ...(uploaded !== undefined && { photo: uploaded && { id: uploaded.id } }),
    };
    if (Object.keys(body).length === 0) return;
    const changed = await callApi('PUT /api/phone-numbers/{phoneId}/profile', { params: { phoneId: phone.id }, body });
    queryClient.setQueryData(profileQuery(phone.id).queryKey, changed);
    notify.success('Profile changed');
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Edit Profile"
      description="People see it on WhatsApp, whoever they are."
      form={form}
      onSubmit={save}
      submitLabel="Save Profile"
      busyLabel="Saving..."
      failureText="Failed to change the profile"
    >
      {isOfficial ? (
        <p className="text-13 text-pretty text-muted">
          Meta reviews the name: change <bdi>{profile.name}</bdi> in the WhatsApp Manager.
        </p>
      ) : (
        <TextField form={form} name="name" label="Name" maxLength={longestShownName} autoComplete="off" />
      )}
      <TextField
        form={form}
        name="about"
        label={isOfficial ? 'About' : 'About (Optional)'}
        hint="Who writes, and when you answer."
        maxLength={longestAbout}
        autoComplete="off"
      />
      <div role="group" aria-label="Photo" className="flex flex-wrap items-center gap-3">
        <Photo photo={shown} />
        <Button size="small" onClick={() => chooseFile(mediaRules.image.types, setPhoto)}>
          {shown === null ? 'Choose a photo' : 'Replace the photo'}
        </Button>
        {shown !== null && !isOfficial && (
          <Button size="small" variant="ghost" onClick={() => setPhoto(null)}>
            Remove it
          </Button>
        )}
        <p className="basis-full text-13 text-muted">A JPEG or PNG of at most 5 MiB; it is cut to a square.</p>
      </div>
    </FormDialog>
  );
}

const upload = (file: File, projectId: number) =>
  uploadFile(file, { projectId, signal: new AbortController().signal, onProgress: () => undefined });

/** Makes addresses of files that are shown until the dialog closes. */
function useObjectUrls(): (file: File) => string {
  const urls = useRef<string[]>([]);
  useEffect(() => () => urls.current.splice(0).forEach((url) => URL.revokeObjectURL(url)), []);
  return (file) => {
    const url = URL.createObjectURL(file);
    urls.current.push(url);
    return url;
  };
}
