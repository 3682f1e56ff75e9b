import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Sandbox, type CreatedApplication } from '../../support/sandbox';
import { APPLICATION } from './application';
import type { Dialect } from './dialect';
import { beginJournal, readFileHashes, readJournal, type Entry } from './journal';

/**
 * A sandbox in a separate process, with its data in a file. It keeps its address, however often it ends and starts
 * again.
 */
export class SoakService {
  /** How often it was ended cleanly, and killed. */
  readonly ends = { clean: 0, killed: 0 };

  private constructor(
    private readonly folder: string,
    private readonly file: string,
    private readonly port: number,
    readonly dialect: Dialect,
    readonly app: CreatedApplication,
    private current: Sandbox,
  ) {}

  static async start(dialect: Dialect): Promise<SoakService> {
    const folder = mkdtempSync(join(tmpdir(), 'soak-'));
    const file = join(folder, 'sandbox.sqlite');
    const first = await Sandbox.start({ data: file });
    const port = Number(new URL(first.baseUrl).port);
    await first.stop();
    beginJournal(file);
    const sandbox = await Sandbox.start({ data: file, port, dialect });
    const app = await sandbox.createApplication(APPLICATION);
    return new SoakService(folder, file, port, dialect, app, sandbox);
  }

  /** The running sandbox. */
  get sandbox(): Sandbox {
    return this.current;
  }

  get credential(): { baseUrl: string; accessKey: string } {
    const { baseUrl, accessKey } = this.current;
    return { baseUrl, accessKey };
  }

  /** Ends the sandbox, as an administrator or a crash does, and starts it again after a while. */
  async restart(how: 'clean' | 'killed', downMs: number): Promise<void> {
    this.ends[how]++;
    await (how === 'clean' ? this.current.stop() : this.current.kill());
    await new Promise((resolve) => setTimeout(resolve, downMs));
    this.current = await Sandbox.start({ data: this.file, port: this.port, dialect: this.dialect });
  }

  /** All changes of the records, from the sandbox's own database. */
  journal(): Entry[] {
    return readJournal(this.file, this.app.id, this.app.parts);
  }

  /** SHA-256 of the attached files by their ids, from the sandbox's own database. */
  fileHashes(): Map<string, string> {
    return readFileHashes(this.file, this.app.id);
  }

  async stop(): Promise<void> {
    await this.current.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
