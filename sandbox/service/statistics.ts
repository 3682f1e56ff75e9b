import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What happened since the start or the last reset. */
export interface StatisticsReport {
  readonly calls: number;
  readonly callsByAction: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly mostInFlight: number;
  readonly mostWaiting: number;
  readonly connections: number;
  readonly openConnections: number;
  readonly bytesReceived: number;
  readonly bytesSent: number;
  /** Time spent on the work of calls, in milliseconds. */
  readonly workMs: number;
}

/** Counts calls, connections and bytes of the data listener. */
export class Statistics {
  readonly #sockets = new Map<Socket, { read: number; written: number }>();
  #callsByAction = new Map<string, number>();
  #calls = 0;
  #inFlight = 0;
  #mostInFlight = 0;
  #connections = 0;
  #bytesReceived = 0;
  #bytesSent = 0;
  #workMs = 0;

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#connections++;
      this.#sockets.set(socket, { read: 0, written: 0 });
      socket.once('close', () => {
        this.#countBytes(socket);
        this.#sockets.delete(socket);
      });
    });
  }

  callArrived(): void {
    this.#calls++;
    this.#mostInFlight = Math.max(this.#mostInFlight, ++this.#inFlight);
  }

  callEnded(action: string, workMs: number): void {
    this.#inFlight--;
    this.#workMs += workMs;
    this.#callsByAction.set(action, (this.#callsByAction.get(action) ?? 0) + 1);
  }

  report(mostWaiting: number): StatisticsReport {
    for (const socket of this.#sockets.keys()) this.#countBytes(socket);
    return {
      calls: this.#calls,
      callsByAction: Object.fromEntries(this.#callsByAction),
      inFlight: this.#inFlight,
      mostInFlight: this.#mostInFlight,
      mostWaiting,
      connections: this.#connections,
      openConnections: this.#sockets.size,
      bytesReceived: this.#bytesReceived,
      bytesSent: this.#bytesSent,
      workMs: Math.round(this.#workMs),
    };
  }

  reset(): void {
    for (const socket of this.#sockets.keys()) this.#countBytes(socket);
    this.#callsByAction = new Map();
    this.#calls = 0;
    this.#mostInFlight = this.#inFlight;
    this.#connections = 0;
    this.#bytesReceived = 0;
    this.#bytesSent = 0;
    this.#workMs = 0;
  }

  #countBytes(socket: Socket): void {
    const counted = this.#sockets.get(socket);
    if (!counted) return;
    this.#bytesReceived += socket.bytesRead - counted.read;
    this.#bytesSent += socket.bytesWritten - counted.written;
    counted.read = socket.bytesRead;
    counted.written = socket.bytesWritten;
  }
}
