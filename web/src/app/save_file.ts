// Time in ms after which the browser has taken the file over.
const kTaken = 60_000;

// Saves a file of the server under a name, as a link with `download` would.
export async function saveFile(name: string, file: Promise<Blob>): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), kTaken);
}
