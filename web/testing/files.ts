import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';

/** A small picture of one colour, as a browser makes it. */
export async function samplePicture(name = 'bag.png', size = 40): Promise<File> {
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.fillStyle = '#37c';
    context.fillRect(0, 0, size, size);
  }
  return new File([await canvas.convertToBlob()], name, { type: 'image/png' });
}

export const sampleDocument = (name = 'plan.pdf') => new File(['%PDF-1.7'], name, { type: 'application/pdf' });

/** Clicks the page's button that attaches a file, and chooses one in place of the platform's dialog. */
export async function chooseFile(
  file: File,
  button = page.getByRole('button', { name: /^(?:Attach a|Replace the) file$/ }),
): Promise<void> {
  const data = new DataTransfer();
  data.items.add(file);
  const openDialog = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function choose(
    this: HTMLInputElement,
  ) {
    this.files = data.files;
    this.dispatchEvent(new Event('change', { bubbles: true }));
  });
  try {
    await button.click();
    expect(openDialog).toHaveBeenCalledOnce();
  } finally {
    openDialog.mockRestore();
  }
}

/** Drops or pastes files, and what else comes with them, on an element. */
export function bring(
  how: 'drop' | 'paste',
  element: Element,
  { files, text }: { files: readonly File[]; text?: string },
): void {
  const data = new DataTransfer();
  for (const file of files) data.items.add(file);
  if (text !== undefined) data.setData('text/plain', text);
  const init = { bubbles: true, cancelable: true };
  if (how === 'paste') {
    element.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: data }));
    return;
  }
  element.dispatchEvent(new DragEvent('dragover', { ...init, dataTransfer: data }));
  element.dispatchEvent(new DragEvent('drop', { ...init, dataTransfer: data }));
}
