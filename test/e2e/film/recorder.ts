import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { CDPSession, Page } from 'playwright-core';

import { artifactsFolder } from '../support/paths';

const folder = join(artifactsFolder, 'film');
const FRAMES_PER_SECOND = 25;

/** Chromium sends a frame only when something on the page changes. */
interface Frame {
  readonly file: string;
  /** Seconds since 1970. */
  readonly at: number;
}

/** Films a page in one take, as Chromium's own recorder of pages shows it. */
export class Recorder {
  private readonly frames: Frame[] = [];
  private readonly marks = new Map<string, number>();

  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async start(page: Page): Promise<Recorder> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const session = await page.context().newCDPSession(page);
    const recorder = new Recorder(page, session);
    session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      recorder.keep(data, metadata.timestamp ?? Date.now() / 1000);
      void session.send('Page.screencastFrameAck', { sessionId });
    });
    await session.send('Page.startScreencast', { format: 'jpeg', quality: 90 });
    return recorder;
  }

  private keep(data: string, at: number): void {
    const file = join(folder, `${String(this.frames.length).padStart(6, '0')}.jpg`);
    writeFileSync(file, Buffer.from(data, 'base64'));
    this.frames.push({ file, at });
  }

  /** Shows a line at the foot of the page, and leaves time to read it. */
  async caption(text: string, milliseconds = 2500): Promise<void> {
    await this.page.evaluate(`(() => {
      const id = 'caption-of-film';
      const line = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'));
      Object.assign(line, { id, textContent: ${JSON.stringify(text)} });
      line.style.cssText = ${JSON.stringify(CAPTION)};
    })()`);
    await sleep(milliseconds);
  }

  /** Remembers a moment, to cut an extract there. */
  mark(name: string): void {
    this.marks.set(name, Date.now() / 1000);
  }

  /** Ends the take. @returns where the film is */
  async stop(): Promise<string> {
    await this.session.send('Page.stopScreencast');
    const list = join(folder, 'frames.txt');
    const end = Date.now() / 1000;
    const lines = this.frames.map(
      ({ file, at }, index) =>
        `file '${file}'\nduration ${((this.frames[index + 1]?.at ?? end) - at).toFixed(4)}`,
    );
    writeFileSync(list, `${lines.join('\n')}\nfile '${this.frames.at(-1)?.file}'\n`);
    const film = join(artifactsFolder, 'film.mp4');
    ffmpeg(
      ['-f', 'concat', '-safe', '0', '-i', list],
      [
        '-vf',
        `fps=${FRAMES_PER_SECOND},format=yuv420p`,
        '-c:v',
        'libx264',
        '-crf',
        '23',
        '-movflags',
        '+faststart',
      ],
      film,
    );
    return film;
  }

  /** Cuts an animated picture out of the film, from a mark on. */
  extract(film: string, mark: string, seconds: number, target: string): void {
    const begin = (this.marks.get(mark) ?? 0) - (this.frames[0]?.at ?? 0);
    const palette =
      'split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none:diff_mode=rectangle';
    ffmpeg(
      ['-ss', begin.toFixed(2), '-t', String(seconds), '-i', film],
      ['-vf', `fps=8,scale=800:-1:flags=lanczos,${palette}`],
      target,
    );
  }
}

/** Length of a film in seconds. */
export function lengthOf(film: string): number {
  const shown = execFileSync('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'format=duration',
    '-of',
    'csv=p=0',
    film,
  ]);
  return Number(shown.toString());
}

function ffmpeg(input: readonly string[], options: readonly string[], target: string): void {
  execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...input, ...options, target], { stdio: 'inherit' });
}

const CAPTION = `position: fixed; z-index: 2147483647; left: 50%; bottom: 24px; transform: translateX(-50%);
  padding: 12px 24px; border-radius: 8px; background: #1b1b2fee; color: #fff; font: 600 20px system-ui, sans-serif;
  box-shadow: 0 4px 24px #0006; pointer-events: none; white-space: nowrap;`;
