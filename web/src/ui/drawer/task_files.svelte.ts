import { getContext, setContext } from 'svelte';
import { attachmentLink, freeName, kMostBytes, pastedName, sizeText } from '../../format/attachments.ts';
import type { Attachment, Task } from '../../model/wire.ts';
import { Refusal, Unreachable, type Api } from '../../sync/api.ts';
import { sentence } from '../../app/refusal_text.ts';
import { saveFile } from '../../app/save_file.ts';
import { drawnFile } from '../drawn_file.ts';

// A file on its way to the server.
export interface Upload {
  name: string;
  problem?: string;
}

export interface FilesEnds {
  api: Api;
  task(): Task | undefined;
  changed(task: Task): void;
}

// The files of one task, and those that are being attached to it.
export class TaskFiles {
  readonly #ends: FilesEnds;
  readonly #drawn = new Map<string, ReturnType<typeof drawnFile>>();
  uploads: readonly Upload[] = $state.raw([]);

  constructor(ends: FilesEnds) {
    this.#ends = ends;
  }

  get all(): readonly Attachment[] {
    return this.#ends.task()?.attachments ?? [];
  }

  named(name: string): Attachment | undefined {
    return this.all.find((file) => file.name.toLowerCase() === name.toLowerCase());
  }

  read(file: Attachment): Promise<Blob> {
    return this.#ends.api.attachment(this.#ends.task()!.id, file.name);
  }

  save = (file: Attachment): Promise<void> => saveFile(file.name, this.read(file));

  // One function for each file, so that a picture is drawn once however often the task changes.
  drawn(file: Attachment): (image: HTMLImageElement) => () => void {
    const known = this.#drawn.get(file.id) ?? drawnFile(() => this.read(file));
    this.#drawn.set(file.id, known);
    return known;
  }

  // Attaches files one after the other; returns the Markdown links to those that arrived.
  async add(files: readonly File[]): Promise<string[]> {
    const links: string[] = [];
    for (const file of files) {
      const name = freeName(pastedName(file, new Date()), [...this.all.map((one) => one.name), ...this.uploads.map((one) => one.name)]);
      if (await this.#send(name, file)) links.push(attachmentLink(name, file.type));
    }
    return links;
  }

  forget(upload: Upload): void {
    this.uploads = this.uploads.filter((one) => one !== upload);
  }

  async remove(file: Attachment): Promise<string | undefined> {
    try {
      this.#ends.changed(await this.#ends.api.detach(this.#ends.task()!.id, file.name));
      return undefined;
    } catch (problem) {
      return reasonOf(problem);
    }
  }

  async #send(name: string, file: File): Promise<boolean> {
    const upload: Upload = { name };
    this.uploads = [...this.uploads, upload];
    try {
      if (file.size > kMostBytes) throw new Refusal(413, { error: `it has ${sizeText(file.size)}, the most is 25 MB` });
      this.#ends.changed(await this.#ends.api.attach(this.#ends.task()!.id, name, file));
      this.forget(upload);
      return true;
    } catch (problem) {
      const failed = { name, problem: reasonOf(problem) };
      this.uploads = this.uploads.map((one) => (one === upload ? failed : one));
      return false;
    }
  }
}

function reasonOf(problem: unknown): string {
  if (problem instanceof Refusal) return sentence(problem.message);
  if (problem instanceof Unreachable) return 'The server does not answer.';
  throw problem;
}

export const filesIn = (data: DataTransfer | null): File[] => [...(data?.files ?? [])];

const kKey = Symbol('files of the task');

// Texts beneath draw links to files of the task as files.
export const provideFiles = (files: () => TaskFiles) => setContext(kKey, files);
export const filesOfTask = (): TaskFiles | undefined => getContext<(() => TaskFiles) | undefined>(kKey)?.();
