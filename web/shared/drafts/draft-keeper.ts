import type { Draft, DraftKind } from '#contracts/drafts.ts';
import { callApi } from '../api.ts';
import { ApiError } from '../api-error.ts';
import { logFailure } from '../log-failure.ts';
import type { DraftContent } from './draft-content.ts';

export type DraftTarget = { kind: DraftKind; key: string };
type Stored = Pick<Draft, 'content' | 'revision' | 'updated_at'>;

export type DraftState =
  /** The server is asked for what was typed before; typing waits for it. */
  | { at: 'reading' }
  /** Nothing was typed. */
  | { at: 'none' }
  | { at: 'saving' }
  | { at: 'saved' }
  /** The server could not be asked; it is tried again with the next change. */
  | { at: 'unsaved' }
  /**
   * Changed elsewhere, or, where `isEarlier`, kept before and read too late; one of the texts has to be chosen, now or
   * later.
   */
  | { at: 'clash'; here: DraftContent; there: Stored; isEarlier?: true; isLater?: true };

const pauseMs = 800;
/** Browsers refuse larger bodies of requests that outlive their page. */
const mostKeptAlive = 30_000;

type Setting = {
  target: DraftTarget;
  /** The typed fields, as they are now; none where all is as it was. */
  read: () => DraftContent;
  onState: (state: DraftState) => void;
  /** Asks the server what there is, and calls `begin`. */
  open: (keeper: DraftKeeper) => Promise<void>;
};

/** Saves what is typed while it is typed, one request after the other. */
export class DraftKeeper {
  readonly #setting: Setting;
  /** Undefined until the server has said what there is. */
  #revision: number | null | undefined;
  /** The draft that was found when something was typed already. */
  #earlier: number | undefined;
  #saved = '{}';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #opening: Promise<void> | undefined;
  #saving: Promise<void> | undefined;
  #isOver = false;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  get target(): DraftTarget {
    return this.#setting.target;
  }

  /** Goes on from what the server has; null: nothing. */
  begin(stored: Stored | null): void {
    this.#revision = stored?.revision ?? null;
    this.#saved = JSON.stringify(stored?.content ?? {});
  }

  /** Goes on from what is typed; a draft that is there already is asked about with the first save. */
  beginOver(stored: Stored | null): void {
    this.begin(null);
    this.#earlier = stored?.revision;
  }

  /** Nothing is saved before this has succeeded; the next change tries again. */
  async open(): Promise<void> {
    this.#opening ??= this.#setting.open(this).finally(() => {
      this.#opening = undefined;
    });
    try {
      await this.#opening;
    } catch (error) {
      logFailure('The drafts could not be read.', error);
      const isTyped = Object.keys(this.#setting.read()).length > 0;
      this.#setting.onState({ at: isTyped ? 'unsaved' : 'none' });
    }
  }

  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), pauseMs);
  }

  /** Saves at once what is not yet; true once nothing would be lost. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
    return this.#isOver || JSON.stringify(this.#setting.read()) === this.#saved;
  }

  /** Nothing is saved after it: the form was saved, or its text is not wanted. */
  async discard(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isOver = true;
    await this.#saving;
    if (typeof this.#revision === 'number') await this.#remove(this.#revision);
  }

  /** The text of this tab counts, or that nothing is typed here any more. */
  async keepHere(there: Stored): Promise<void> {
    this.begin(there);
    // Where both have become the same, nothing is left to save.
    if (await this.flush()) this.#setting.onState({ at: this.#saved === '{}' ? 'none' : 'saved' });
  }

  async #saveAll(): Promise<void> {
    if (this.#revision === undefined && !this.#isOver) await this.open();
    while (!this.#isOver && this.#revision !== undefined) {
      const content = this.#setting.read();
      const text = JSON.stringify(content);
      if (text === this.#saved) return;
      if (!(await this.#save(content, text, this.#revision))) return;
    }
  }

  async #save(content: DraftContent, text: string, revision: number | null): Promise<boolean> {
    const { target, onState } = this.#setting;
    onState({ at: 'saving' });
    try {
      if (text === '{}') {
        if (revision !== null) await this.#remove(revision);
        this.begin(null);
        onState({ at: 'none' });
        return true;
      }
      const saved = await callApi(
        'PUT /api/drafts/{kind}/{key}',
        { params: target, body: { content, revision } },
        { keepsAlive: text.length < mostKeptAlive },
      );
      this.#revision = saved.revision;
      this.#saved = text;
      onState({ at: 'saved' });
      return true;
    } catch (error) {
      const there = error instanceof ApiError ? error.draft : undefined;
      if (there === undefined) logFailure('The draft could not be saved.', error);
      const isEarlier = there !== undefined && there.revision === this.#earlier;
      onState(
        there === undefined
          ? { at: 'unsaved' }
          : { at: 'clash', here: content, there, ...(isEarlier && { isEarlier }) },
      );
      return false;
    }
  }

  /** A draft that was changed elsewhere stays for whoever changed it. */
  async #remove(revision: number): Promise<void> {
    try {
      await callApi('DELETE /api/drafts/{kind}/{key}', { params: this.target, query: { revision } });
    } catch (error) {
      logFailure('The draft could not be removed.', error);
    }
  }
}
