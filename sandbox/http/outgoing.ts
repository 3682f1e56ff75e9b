import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { sleep, type Fault } from '../settings/faults.ts';

/** An answer, ready to send. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Iterable<Uint8Array>;
}

/** Sends an answer, changed by its faults. @returns the HTTP status that the caller sees. */
export async function send(
  reply: FastifyReply,
  outgoing: Outgoing,
  faults: readonly Fault[] = [],
): Promise<number> {
  const sabotage = faults.find(({ kind }) => kind === 'cut' || kind === 'slow');
  if (sabotage?.kind === 'cut') return sendCut(reply, outgoing, sabotage);
  if (sabotage?.kind === 'slow') return sendSlowly(reply, outgoing, sabotage.ms);
  const { status, headers, body } = outgoing;
  void reply.code(status).headers(headers);
  await reply.send(typeof body === 'string' ? body : Readable.from(body));
  return status;
}

/** Ends the connection without an answer. */
export function drop(reply: FastifyReply): number {
  reply.hijack();
  reply.raw.destroy();
  return 0;
}

async function sendCut(
  reply: FastifyReply,
  { status, headers, body }: Outgoing,
  { share = 0.5, how = 'clean' }: Extract<Fault, { kind: 'cut' }>,
): Promise<number> {
  const whole = bytesOf(body);
  const sent = whole.subarray(0, Math.floor(whole.length * Math.min(1, share)));
  reply.hijack();
  const length = how === 'clean' ? sent.length : whole.length;
  reply.raw.writeHead(status, { ...headers, 'content-length': length });
  if (how === 'clean') {
    reply.raw.end(sent);
    return status;
  }
  await new Promise((resolve) => reply.raw.write(sent, resolve));
  reply.raw.destroy();
  return status;
}

async function sendSlowly(
  reply: FastifyReply,
  { status, headers, body }: Outgoing,
  ms: number,
): Promise<number> {
  const whole = bytesOf(body);
  const steps = Math.max(1, Math.min(20, whole.length));
  reply.hijack();
  reply.raw.writeHead(status, { ...headers, 'content-length': whole.length });
  for (let step = 0; step < steps && !reply.raw.destroyed; step++) {
    const [from, to] = [step, step + 1].map((at) => Math.floor((whole.length * at) / steps));
    reply.raw.write(whole.subarray(from, to));
    await sleep(ms / steps);
  }
  reply.raw.end();
  return status;
}

function bytesOf(body: Outgoing['body']): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.concat([...body]);
}
