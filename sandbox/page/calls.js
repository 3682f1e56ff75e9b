import { byId, control, logEntry } from './control.js';

const shownCalls = 100;

/** Shows the calls that ended before the page was opened, or while it was disconnected. */
export async function showEarlierCalls() {
  const calls = await control('/log');
  byId('calls').replaceChildren();
  for (const call of calls.slice(-shownCalls)) showCall(call, false);
}

/** Adds a call at the top of the list, unless it is already there. */
export function showCall(call, isNew = true) {
  const { number, action, parameters, files, workMs, waitedMs, faults } = call;
  const list = byId('calls');
  if (list.querySelector(`[data-call="${number}"]`)) return;
  const values = parameters
    .filter(([name]) => name !== 'action')
    .map(([name, value]) => `${name}=${short(value)}`);
  const uploads = files.map(({ field, name, size }) => `${field}=${name} (${size} bytes)`);
  const times = `${Math.round(workMs)} ms${waitedMs >= 1 ? `, waited ${Math.round(waitedMs)} ms` : ''}`;
  const facts = faults.length > 0 ? `${times} · fault: ${faults.join(', ')}` : times;
  const attributes = { 'data-call': number, class: isNew ? 'fresh' : undefined };
  list.prepend(logEntry(call, action || '(no action)', facts, [...values, ...uploads].join(' '), attributes));
  while (list.children.length > shownCalls) list.lastElementChild.remove();
}

/** Reads the counters. */
export async function showStatistics() {
  const { calls, mostInFlight, mostWaiting, memoryBytes } = await control('/statistics');
  byId('statistics').textContent =
    `${calls} ${calls === 1 ? 'call' : 'calls'}, at most ${mostInFlight} at once (${mostWaiting} waiting), ${Math.round(memoryBytes / 1e6)} MB`;
}

function short(text) {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
