import type { Generated } from 'kysely';
import type { MediaType } from '#contracts/message-content.ts';
import type { Json } from '#server/platform/db/columns.ts';

export type MediaFilesTable = {
  account_id: number;
  id: string;
  project_id: number | null;
  /** The file goes with its project. */
  is_of_project: boolean;
  source: 'upload' | 'incoming';
  /** As its content says. */
  mime_type: string;
  file_name: string | null;
  /** Bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
  /** Null once the bytes are gone. */
  storage_key: string | null;
  /** A small JPEG of a picture. */
  thumbnail: Buffer | null;
  /** Pixels. */
  width: number | null;
  height: number | null;
  is_animated: Generated<boolean>;
  /** Of a sound or a film. */
  duration_ms: number | null;
  channels: number | null;
  /** Whether handsets play it as what it is. */
  is_playable: Generated<boolean>;
  /** Of a voice note: how loud each 64th of it is, from 0 to 100. */
  waveform: Buffer | null;
  /** `storing`: its bytes are being put away. */
  state: 'storing' | 'stored' | 'removing' | 'gone';
  created_at: Date;
  expires_at: Date;
};

/** Where a phone's network has a file. */
export type MediaUploadsTable = {
  account_id: number;
  phone_id: number;
  media_id: string;
  type: MediaType;
  reference: Json<Record<string, string>>;
  uploaded_at: Date;
};

export type MediaTables = {
  media_files: MediaFilesTable;
  media_uploads: MediaUploadsTable;
};
