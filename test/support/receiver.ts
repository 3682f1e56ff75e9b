import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that arrived, with its parsed body. */
export interface ReceivedNotification {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

type AnswerWith = (received: ReceivedNotification, response: ServerResponse) => void | Promise<void>;

/** An HTTP server that the sandbox notifies. It keeps the requests. */
export class Receiver {
  readonly received: ReceivedNotification[] = [];
  /** Writes the answer. The default is 200 with `{"message":"ok"}`. */
  answer: AnswerWith = (_received, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"message":"ok"}');
  };
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ReceivedNotification['body'];
        const received = { method: request.method ?? '', headers: request.headers, body };
        receiver.received.push(received);
        void receiver.answer(received, response);
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
