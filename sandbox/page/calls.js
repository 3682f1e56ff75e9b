import { byId, control, element } from './control.js';

const shownCalls = 100;

/** Shows the calls that ended before the page was opened, or while it was disconnected. */
export async function showEarlierCalls() {
  const calls = await control('/log');
  byId('calls').replaceChildren();
  for (const call of calls.slice(-shownCalls)) showCall(call, false);
}

/** Adds a call at the top of the list, unless it is already there. */
export function showCall(call, isNew = true) {
  const { number, action, parameters, files, outcome, httpStatus, errorno, workMs, waitedMs, faults } = call;
  const list = byId('calls');
  if (list.querySelector(`[data-call="${number}"]`)) return;
  const values = parameters
    .filter(([name]) => name !== 'action')
    .map(([name, value]) => `${name}=${short(value)}`);
  const uploads = files.map(({ field, name, size }) => `${field}=${name} (${size} bytes)`);
  const times = `${Math.round(workMs)} ms${waitedMs >= 1 ? `, waited ${Math.round(waitedMs)} ms` : ''}`;
  const result = outcome === 'ok' ? 'ok' : `${outcome}${errorno === undefined ? '' : ` ${errorno}`}`;
  list.prepend(
    element(
      'li',
      { 'data-call': number, class: isNew ? 'fresh' : undefined },
      element('b', { class: outcome === 'ok' ? 'ok' : undefined }, result),
      ` ${action || '(no action)'} `,
      element(
        'span',
        {},
        `${httpStatus || 'no answer'} · ${times}${faults.length > 0 ? ` · fault: ${faults.join(', ')}` : ''}`,
      ),
      element('br'),
      [...values, ...uploads].join(' '),
    ),
  );
  while (list.children.length > shownCalls) list.lastElementChild.remove();
}

/** Reads the counters. */
export async function showStatistics() {
  const { calls, mostInFlight, mostWaiting, memoryBytes } = await control('/statistics');
  byId('statistics').textContent =
    `${calls} calls, at most ${mostInFlight} at once (${mostWaiting} waiting), ${Math.round(memoryBytes / 1e6)} MB`;
}

function short(text) {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
