import { announce, byId, control, element } from './control.js';

const actions = [
  'list_data',
  'count_data',
  'get_data',
  'insert_data',
  'update_data',
  'delete_data',
  'list_apps',
  'get_app',
  'list_applabels',
  'download_data_file',
];

/** Faults that one click adds; anything else goes through /control/faults. */
const presets = {
  'Slow network (1 s)': { kind: 'latency', where: 'network', ms: 1000 },
  'Slow work (1 s)': { kind: 'latency', where: 'work', ms: 1000 },
  '429 Too Many Requests': { kind: 'status', status: 429 },
  '429 with Retry-After 2': { kind: 'status', status: 429, retryAfter: 2 },
  '502 Bad Gateway': { kind: 'status', status: 502 },
  '503 with Retry-After 2': { kind: 'status', status: 503, retryAfter: 2 },
  'Refusal (ng)': { kind: 'ng', errorno: -999, message: 'Refused by a fault' },
  'Refusal (ng) after the work': { kind: 'ng', errorno: -999, message: 'Refused by a fault', when: 'after' },
  '500 after the work': { kind: 'status', status: 500, when: 'after' },
  'Connection dropped before the work': { kind: 'drop', when: 'before' },
  'Connection dropped after the work': { kind: 'drop', when: 'after' },
  'Cut JSON': { kind: 'cut' },
  'HTML instead of JSON': { kind: 'html', when: 'after' },
  'Slow body (5 s)': { kind: 'slow', ms: 5000 },
  'Redirect elsewhere': { kind: 'redirect', location: 'https://example.invalid/' },
  'Down for 5 s': { kind: 'down', ms: 5000, when: 'before' },
};

/** Connects the controls of faults and dialect. */
export function startSettings() {
  byId('fault-preset').append(...Object.keys(presets).map((name) => element('option', {}, name)));
  byId('fault-action').append(
    element('option', { value: '' }, 'all'),
    ...actions.map((name) => element('option', {}, name)),
  );
  byId('fault-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void addFault(new FormData(event.target));
  });
  byId('clear-faults').addEventListener('click', () => void control('/faults', { method: 'DELETE' }));
  byId('reset-dialect').addEventListener('click', () => void control('/dialect', { method: 'DELETE' }));
  byId('reset').addEventListener('click', async () => {
    await control('/reset', { method: 'POST' });
    announce('The samples have been restored');
  });
}

async function addFault(form) {
  const [preset, action, times] = ['preset', 'action', 'times'].map((name) => form.get(name));
  const fault = { ...presets[preset], ...(action && { action }), ...(times && { times: Number(times) }) };
  await control('/faults', { method: 'PUT', body: [...(await control('/faults')), fault] });
}

/** Shows the faults that wait for calls. */
export async function showFaults() {
  const faults = await control('/faults');
  byId('faults').replaceChildren(
    ...faults.map(({ kind, action, times, skip: _skip, ...rest }) => {
      const details = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
      const calls = `${action ?? 'all actions'}${times === undefined ? '' : `, ${times} ${times === 1 ? 'call' : 'calls'}`}`;
      return element('li', {}, element('b', {}, kind), ` ${details.join(', ')} – ${calls}`);
    }),
  );
}

/** Shows every dialect switch and highlights those that are not at their default. */
export async function showDialect() {
  const [dialect, switches] = await Promise.all([control('/dialect'), control('/dialect/switches')]);
  const focused = document.activeElement?.name;
  byId('dialect').replaceChildren(
    ...Object.entries(switches).map(([name, { kind, about, fallback, values }]) => {
      const current = String(dialect[name]);
      const input =
        kind === 'choice'
          ? element('select', { name }, ...Object.keys(values).map((value) => element('option', {}, value)))
          : element('input', { name, type: kind === 'amount' ? 'number' : 'text' });
      input.value = current;
      input.addEventListener('change', () => void setSwitch(name, input));
      const changed = current === String(fallback) ? undefined : 'changed';
      return element(
        'label',
        { class: changed },
        about,
        input,
        element('small', {}, kind === 'choice' ? values[current] : '', ' ', element('code', {}, name)),
      );
    }),
  );
  const changed = Object.entries(switches).filter(
    ([name, { fallback }]) => String(dialect[name]) !== String(fallback),
  ).length;
  byId('dialect-changed').textContent = changed === 0 ? '' : `(${changed} changed)`;
  if (focused) document.querySelector(`#dialect [name="${focused}"]`)?.focus();
}

async function setSwitch(name, input) {
  try {
    await control('/dialect', { method: 'PATCH', body: { [name]: input.value } });
    announce(`${name} is ${input.value}`);
  } catch (error) {
    announce(error.message);
    await showDialect();
  }
}
