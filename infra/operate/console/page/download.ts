/** Lets the browser download a text as a file. */
export function download(name: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Keeps the blob's URL for ten seconds, because some browsers read the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
