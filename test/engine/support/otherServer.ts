import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The server's answer to everybody. */
interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Seen {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A server other than the service. It keeps its requests. */
export class OtherServer {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
    readonly seen: readonly Seen[],
  ) {}

  /** @param certificate for TLS */
  static async start(answer: Answer = {}, certificate?: { key: string; cert: string }): Promise<OtherServer> {
    const seen: Seen[] = [];
    const listener: RequestListener = (request, response) => {
      seen.push({ url: request.url ?? '', headers: request.headers });
      request.resume();
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.body ?? '{"status":"ok","list":{"item":[]}}');
    };
    const server =
      certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const scheme = certificate === undefined ? 'http' : 'https';
    return new OtherServer(server, `${scheme}://127.0.0.1:${port}`, seen);
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A self-signed certificate. */
export function selfSigned(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', key, '-out', cert];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
