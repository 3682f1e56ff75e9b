import type { Call } from '../call/call.ts';
import type { Clock } from '../settings/clock.ts';
import type { Dialect } from '../settings/switches.ts';
import type { Part, StoredFile } from '../parts/part.ts';
import { Matches } from './read/matches.ts';
import { RecordReader, type Reading } from './read/reader.ts';
import { Resolver } from './read/resolver.ts';
import type { Application } from '../storage/applications.ts';
import type { User } from '../storage/people.ts';
import type { Storage } from '../storage/storage.ts';

/** Everything that actions work with. */
export class Workbench {
  readonly storage: Storage;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly #matches: Matches;

  constructor(storage: Storage, dialect: Dialect, clock: Clock) {
    this.storage = storage;
    this.dialect = dialect;
    this.clock = clock;
    this.#matches = new Matches(storage);
  }

  resolver(user: User): Resolver {
    return new Resolver(this.storage, this.#matches, user);
  }

  /** Ids of the application's records whose part contains this text. */
  findByText(application: number, part: number, text: string): readonly number[] {
    return text === '' ? [] : this.#matches.find(application, part, text);
  }

  /** Writes an application's records for the caller. */
  reader(call: Pick<Call, 'user' | 'baseUrl'>, application: Application, reading: Reading): RecordReader {
    const { storage, dialect } = this;
    return new RecordReader(
      {
        storage,
        dialect,
        application,
        resolver: this.resolver(call.user),
        fileUrl: (owner, part, file) => this.#fileUrl(call.baseUrl, owner, part, file),
      },
      reading,
    );
  }

  /** The id of a file in its `url`. */
  urlId(file: Pick<StoredFile, 'id'>): number {
    return this.dialect.attachmentUrlId === 'equal' ? file.id : file.id + urlIdShift;
  }

  /** The file for an `id` of a `url`. */
  fileId(urlId: number): number {
    return this.dialect.attachmentUrlId === 'equal' ? urlId : urlId - urlIdShift;
  }

  #fileUrl(baseUrl: string, application: Application, part: Part, file: StoredFile): string {
    const query = `appsuite.cgi?action=download_data_file&app_id=${application.id}&field_id=${part.id}&id=${this.urlId(file)}`;
    switch (this.dialect.downloadUrl) {
      case 'absolute':
        return `${baseUrl}/${query}`;
      case 'otherHost':
        return `https://files.invalid/cgi-bin/dneo/${query}`;
    }
  }
}

/** Far from any file ID, so that a mix-up is noticed. */
const urlIdShift = 7_000_000;
