import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shim } from './shims.mjs';

const kRecorder = shim('recorder', process.env.ANDON_RECORDER_SHIM);
const kHead = 40;
const kSector = 512;
const [kWritten, kBegun, kSynced, kCut, kMade, kRenamed, kRemoved, kDirectory, kLinked, kAcknowledged] = Array.from({ length: 10 }, (_, i) => i + 1);
const kNames = new Set([kMade, kRenamed, kRemoved, kDirectory, kLinked]);
const kExchange = 2;
const kLives = 1000; // file systems give an inode again: each life of one is a file of its own here
const kChances = [0, 0, 0.3, 0.7];

// Notes what the processes of a place do to the files beneath `root`, and what was acknowledged.
export class Recording {
  constructor(place, root) {
    this.root = root;
    this.file = place.path('recording');
    writeFileSync(this.file, '');
    this.makeDirectory(root);
    this.env = { LD_PRELOAD: kRecorder, ANDON_RECORD: this.file, ANDON_RECORD_BELOW: root };
  }

  acknowledge(value) {
    this.append(kAcknowledged, 0, JSON.stringify(value));
  }
  // One that the processes find there.
  makeDirectory(path) {
    mkdirSync(path);
    this.append(kDirectory, statSync(path).ino, path);
  }

  append(kind, inode, text) {
    const bytes = Buffer.from(text);
    const head = Buffer.alloc(kHead);
    head.writeBigInt64LE(BigInt(kind), 0);
    head.writeBigInt64LE(BigInt(inode), 8);
    head.writeBigInt64LE(BigInt(bytes.length), 32);
    appendFileSync(this.file, Buffer.concat([head, bytes]));
  }

  records() {
    const bytes = readFileSync(this.file);
    const records = [];
    const files = new Map(); // inode → how many files had it
    for (let at = 0; at + kHead <= bytes.length; ) {
      const [kind, inode, place, number, size] = [0, 8, 16, 24, 32].map((offset) => Number(bytes.readBigInt64LE(at + offset)));
      const data = bytes.subarray(at + kHead, at + kHead + size);
      if (inode && (kind === kMade || kind === kDirectory)) files.set(inode, (files.get(inode) ?? 0) + 1);
      const record = { kind, inode: inode && inode * kLives + (files.get(inode) ?? 0), place, number };
      if (kNames.has(kind)) [record.path, record.other] = data.toString().split('\0');
      else if (kind === kAcknowledged) record.value = JSON.parse(data);
      else record.data = data;
      records.push(record);
      at += kHead + size;
    }
    return records;
  }
}

// What a power cut behind the first `cut` records leaves on the disk. What was synced is there. Of the rest each
// sector is there with a chance, and names as far as the file system wrote its journal, which keeps their order.
export class Image {
  constructor(records, cut, chance, keep = chance.one(kChances)) {
    this.records = records.slice(0, cut);
    this.keeps = () => chance.number() < keep;
    const begun = new Map();
    this.synced = new Map(); // inode → index of the record up to which it is on disk
    for (const [i, record] of this.records.entries()) {
      if (record.kind === kBegun) begun.set(`${record.inode} ${record.number}`, i);
      if (record.kind === kSynced) this.synced.set(record.inode, Math.max(this.synced.get(record.inode) ?? 0, begun.get(`${record.inode} ${record.number}`)));
    }
    const sure = this.lastSureName();
    const end = keep === 0 ? sure : sure + chance.below(this.records.length - sure + 1);
    this.replayNames(end);
  }

  // The sync of a directory brings its names to the disk, that of a new file its own name.
  lastSureName() {
    const inodes = new Map();
    let sure = 0;
    for (const [i, { kind, inode, path, other }] of this.records.entries()) {
      if (!kNames.has(kind)) continue;
      if (inode) inodes.set(path, inode);
      if (kind === kRenamed) inodes.set(other, inodes.get(path));
      const covered = [dirname(path), kind === kRenamed ? dirname(other) : path, kind === kMade ? path : undefined];
      if (covered.some((each) => each && (this.synced.get(inodes.get(each)) ?? -1) > i)) sure = i + 1;
    }
    return sure;
  }

  replayNames(end) {
    this.directories = new Set();
    this.links = new Map();
    this.names = new Map();
    for (const { kind, inode, place, path, other } of this.records.slice(0, end)) {
      if (kind === kDirectory) this.directories.add(path);
      if (kind === kLinked) this.links.set(path, other);
      if (kind === kMade) this.names.set(path, inode);
      if (kind === kRemoved) for (const all of [this.names, this.links, this.directories]) all.delete(path);
      if (kind !== kRenamed) continue;
      const [from, to] = [this.names.get(path), this.names.get(other)];
      this.names.set(other, from);
      if (place === kExchange) this.names.set(path, to);
      else this.names.delete(path);
    }
  }

  bytesOf(inode) {
    const records = this.recordsOf(inode);
    const isSure = (i) => i < (this.synced.get(inode) ?? -1);
    const most = Math.max(0, ...records.map(([, { place, data }]) => place + (data?.length ?? 0)));
    const bytes = Buffer.alloc(most);
    let size = 0;
    for (const [i, { kind, place, data }] of records) {
      if (kind === kCut && (isSure(i) || this.keeps())) {
        bytes.fill(0, place, Math.max(size, place));
        size = place;
      }
      if (kind !== kWritten) continue;
      for (let at = 0; at < data.length; at += kSector) {
        if (!isSure(i) && !this.keeps()) continue;
        const part = data.subarray(at, at + kSector);
        part.copy(bytes, place + at);
        size = Math.max(size, place + at + part.length);
      }
    }
    return bytes.subarray(0, size);
  }

  // What was written to a file and cut of it, with the places of the records.
  recordsOf(inode) {
    if (!this.byInode) {
      this.byInode = new Map();
      for (const [i, record] of this.records.entries()) {
        if (record.kind !== kWritten && record.kind !== kCut) continue;
        if (!this.byInode.has(record.inode)) this.byInode.set(record.inode, []);
        this.byInode.get(record.inode).push([i, record]);
      }
    }
    return this.byInode.get(inode) ?? [];
  }

  // Writes the image in the place of what is there.
  write(root, secret) {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
    this.stats = new Map();
    for (const path of this.directories) mkdirSync(path, { recursive: true });
    const intents = [];
    for (const [path, inode] of this.names) {
      if (path.endsWith('-shm')) continue;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, this.bytesOf(inode), { mode: 0o600 });
      this.stats.set(Math.floor(inode / kLives), statSync(path, { bigint: true }));
      if (/\/\.andon\/(intent|repair)/.test(path)) intents.push(path);
    }
    for (const [path, target] of this.links) symlinkSync(target, path);
    for (const path of intents) this.translate(path);
    if (secret) this.placeIndex(join(root, '.andon'), secret);
  }

  // The index of a board lies where its directory's inode says.
  placeIndex(own, secret) {
    const link = [...this.links.keys()].find((path) => path === join(own, 'index.db'));
    if (!link) return;
    const folder = indexFolder(own, secret);
    const was = join(own, dirname(this.links.get(link)));
    if (!existsSync(was)) return;
    renameSync(was, join(own, folder));
    unlinkSync(link);
    symlinkSync(join(folder, 'index.db'), link);
  }

  // A file of the image has another inode and time than the one that was recorded.
  translate(path) {
    const { size, atime, mtime } = statSync(path);
    if (size === 0) return;
    const lines = readFileSync(path, 'utf8').split('\n').map((line) => {
      let intent;
      try {
        intent = JSON.parse(line);
      } catch {
        return line;
      }
      for (const step of intent.steps ?? []) {
        const made = this.stats.get(step.made), old = this.stats.get(step.inode);
        if (made) Object.assign(step, { made: made.ino, made_modified: made.mtimeNs });
        if (old) Object.assign(step, { inode: old.ino, modified: old.mtimeNs });
      }
      return JSON.stringify(intent, (_, value) => (typeof value === 'bigint' ? `#${value}#` : value)).replace(/"#(\d+)#"/g, '$1');
    });
    writeFileSync(path, lines.join('\n'));
    utimesSync(path, atime, mtime);
  }
}

// The folder in which a user keeps the index of a board; see src/store/markdown/files/index_place.hpp.
export function indexFolder(own, secret) {
  const { dev, ino } = statSync(own, { bigint: true });
  const key = createHash('sha256').update(`${secret}\nindex of ${dev}:${ino}\n`).digest('hex');
  return key.slice(0, 32);
}
