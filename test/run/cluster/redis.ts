import { once } from 'node:events';
import { connect } from 'node:net';

import { findFreePort, LOOPBACK } from '../../../demo/place/checks.ts';
import type { Children } from '../../../demo/process/children.ts';
import { ownEnvironment } from '../../../demo/n8n/environment.ts';
import { untilReady } from '../../../demo/process/ready.ts';
import { program } from './program.ts';

const START_TIMEOUT = 30_000;

/**
 * Starts a Redis for n8n's queue. It stores nothing on disk.
 * @returns its port
 * @throws DemoError if this machine has none, or if it ends
 */
export async function startRedis(children: Children, folder: string, logFile: string): Promise<number> {
  const port = await findFreePort();
  const child = children.start({
    name: 'Redis',
    command: program('redis-server'),
    args: ['--port', `${port}`, '--bind', LOOPBACK, '--save', '', '--appendonly', 'no', '--dir', folder],
    cwd: folder,
    env: ownEnvironment(),
    logFile,
  });
  await untilReady(child, async () => await answersPing(port), { timeout: START_TIMEOUT, logFile });
  return port;
}

async function answersPing(port: number): Promise<boolean> {
  const socket = connect(port, LOOPBACK);
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString().startsWith('+PONG');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
