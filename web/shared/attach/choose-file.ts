/**
 * Opens the platform's file dialog for one file of these MIME types. Its input stands in the page only meanwhile: a page
 * that takes a file of its own has one input for it, whatever goes with a message beside it.
 */
export function chooseFile(types: readonly string[], onChosen: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = types.join(',');
  input.hidden = true;
  input.addEventListener('cancel', () => input.remove());
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    input.remove();
    if (file !== undefined) onChosen(file);
  });
  // On iOS, one outside the page may tell nothing of what was chosen.
  document.body.append(input);
  input.click();
}
