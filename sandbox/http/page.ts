import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=UTF-8',
  'style.css': 'text/css; charset=UTF-8',
  'main.js': 'text/javascript; charset=UTF-8',
  'control.js': 'text/javascript; charset=UTF-8',
  'records.js': 'text/javascript; charset=UTF-8',
  'edit.js': 'text/javascript; charset=UTF-8',
  'fields.js': 'text/javascript; charset=UTF-8',
  'values.js': 'text/javascript; charset=UTF-8',
  'calls.js': 'text/javascript; charset=UTF-8',
  'notifications.js': 'text/javascript; charset=UTF-8',
  'people.js': 'text/javascript; charset=UTF-8',
};

/** The page loads nothing from other hosts, and must not be able to. */
const policy = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'";

/** The page at `/`: applications, records and calls live, with the switches of dialect and faults. */
export async function page(app: FastifyInstance): Promise<void> {
  for (const [name, type] of Object.entries(types)) {
    const content = await readFile(new URL(`../page/${name}`, import.meta.url));
    app.get(name === 'index.html' ? '/' : `/page/${name}`, (_request, reply) =>
      reply
        .type(type)
        .header('content-security-policy', policy)
        .header('cache-control', 'no-cache')
        .send(content),
    );
  }
}
