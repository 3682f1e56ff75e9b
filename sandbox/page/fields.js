import { element } from './control.js';
import { clockOf, people, secondsOf } from './values.js';

/** Types whose values come from elsewhere, or are files. */
const notTyped = ['reference', 'rel_list', 'expression', 'files', 'id', 'user'];
const severalTypes = ['checkbox', 'listbox', 'users', 'groups'];
const A_DAY = 24 * 60 * 60;

export function isTyped({ system, readonly, type }) {
  return !system && !readonly && !notTyped.includes(type);
}

/**
 * The field of a part, with its name: what to show, and the text as the service takes it (docs/dev/interface.md,
 * "Value formats").
 * @param keyOf the key of a part, for the rows of a table part
 */
export function fieldOf(part, value, keyOf) {
  const { node, text } = entryOf(part, value, part.name, keyOf);
  const note = [part.required && 'required', part.type === 'richeditor' && 'HTML'].filter(Boolean).join(', ');
  const isGroup = node.tagName === 'DIV';
  const name = element(isGroup ? 'legend' : 'span', {}, part.name, element('small', {}, note));
  const field = element(isGroup ? 'fieldset' : 'label', { class: part.type }, name, node);
  return { part, field, node, text, before: text() };
}

/** What a person fills in: an element, and the text that it stands for. */
function entryOf(part, value, label, keyOf) {
  if (part.type === 'input_list') return tableOf(part, value ?? [], keyOf);
  if (severalTypes.includes(part.type)) return severalOf(part, (value ?? []).map(String), label);
  const node = inputOf(part, value);
  node.setAttribute('aria-label', label);
  node.value = part.type === 'time' && value !== undefined ? clockOf(value) : String(value ?? '');
  const isSent = part.type === 'time' ? secondsOf : (text) => text;
  return { node, text: () => isSent(node.value) };
}

function inputOf({ type, options, allowOther, timeUnit }, value) {
  if (type === 'textarea' || type === 'richeditor') return element('textarea', { rows: 3 });
  if (type === 'date') return element('input', { type: 'date' });
  if (type === 'datetime') return element('input', { type: 'datetime-local' });
  // A time may be a duration of more than a day, which no browser has a field for.
  if (type === 'time' && !(value >= A_DAY))
    return element('input', { type: 'time', step: value % 60 ? 1 : (timeUnit ?? 1) * 60 });
  if (type === 'number') return element('input', { inputmode: 'decimal', autocomplete: 'off' });
  if (options.length === 0) return element('input', { autocomplete: 'off' });
  if (allowOther) return suggesting(options);
  const all = [...new Set(['', ...options, value ?? ''])];
  return element('select', {}, ...all.map((option) => element('option', { value: option }, option)));
}

let lists = 0;

/** A text field that offers options, and takes others. */
function suggesting(options) {
  const id = `options-${++lists}`;
  const list = element('datalist', { id }, ...options.map((option) => element('option', { value: option })));
  document.body.append(list);
  return element('input', { list: id, autocomplete: 'off' });
}

/** Each of several values on its own line, to tick. */
function severalOf({ type, options, allowOther }, values, label) {
  const offered = people[type] ?? options.map((option) => ({ id: option, name: option }));
  const others = values.filter((value) => !offered.some(({ id }) => id === value));
  const choices = [...offered, ...others.map((value) => ({ id: value, name: value }))].map(({ id, name }) => {
    const box = element('input', { type: 'checkbox', value: id, checked: values.includes(id) });
    return element('label', { class: 'choice' }, box, ` ${name}`);
  });
  const more = allowOther && element('textarea', { rows: 1, placeholder: 'others, one a line' });
  const node = element('div', { role: 'group', 'aria-label': label }, ...choices, ...(more ? [more] : []));
  const text = () => {
    const ticked = [...node.querySelectorAll('input:checked')].map((box) => box.value);
    return [...ticked, ...(more ? more.value.split('\n') : [])].filter((each) => each !== '').join('\t');
  };
  return { node, text };
}

/** The rows of a table part: a line of fields each, with their IDs behind them. */
function tableOf(table, values, keyOf) {
  const children = table.children.filter(isTyped);
  const rows = new Set();
  const body = element('tbody', {});
  const add = (value) => {
    const row = { id: value.id, entries: [] };
    const cells = children.map((child) => {
      const entry = entryOf(child, value[child.name], `${child.name}, row ${rows.size + 1}`, keyOf);
      row.entries.push([child, entry, entry.text()]);
      return element('td', {}, entry.node);
    });
    const drop = element('button', { type: 'button' }, `Remove row ${rows.size + 1}`);
    const line = element('tr', {}, ...cells, element('td', {}, drop));
    drop.addEventListener('click', () => {
      rows.delete(row);
      line.remove();
    });
    rows.add(row);
    body.append(line);
  };
  values.forEach(add);
  const more = element('button', { type: 'button' }, 'Add a row');
  more.addEventListener('click', () => add({}));
  const heads = children.map(({ name }) => element('th', { scope: 'col' }, name));
  const head = element('thead', {}, element('tr', {}, ...heads, element('td', {})));
  const node = element('div', { class: 'scroll' }, element('table', {}, head, body), more);
  return {
    node,
    text: () => (rows.size === 0 ? '' : JSON.stringify([...rows].map((row) => sentRow(row, keyOf)))),
  };
}

/** A row as the service takes it: one that is there with its ID. */
function sentRow({ id, entries }, keyOf) {
  const given = entries.map(([child, entry, before]) => [keyOf(child), entry.text(), before]);
  const sent = given.filter(([, text, before]) => text !== '' || before !== '');
  return {
    ...(id !== undefined && { data_id: id }),
    ...Object.fromEntries(sent.map(([key, text]) => [key, text])),
  };
}
