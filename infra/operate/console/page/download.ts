/** Lets the browser download a CSV file, whose byte order mark tells spreadsheets that the text is UTF-8. */
export function downloadCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Keeps the blob's URL for ten seconds, because some browsers read the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
