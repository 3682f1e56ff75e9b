import { announce, byId, control, element } from './control.js';

/** Types whose values come from elsewhere, or are files. */
const notTyped = ['reference', 'rel_list', 'expression', 'files', 'id', 'user'];

let application;
let record;
let users = [];
let base;

/** Connects the form in which a person plays a colleague: each change is a call of the service, with that colleague's key. */
export async function startEditing(baseUrl) {
  base = baseUrl;
  users = await control('/users');
  const options = users
    .filter(({ active }) => active)
    .map(({ name, accessKey }) => element('option', { value: accessKey }, name));
  byId('edit-user').replaceChildren(...options);
  byId('edit-form').onsubmit = (event) => {
    event.preventDefault();
    void save();
  };
  byId('edit-new').onclick = () => show(undefined);
  byId('edit-delete').onclick = () => void remove();
}

/** Offers an empty form for an application that is shown now. */
export function editsOf(shown) {
  if (application?.id !== shown.id) byId('edit-result').textContent = '';
  application = shown;
  show(undefined);
}

/** Fills the form with a record, and opens it. */
export function edit(chosen) {
  show(chosen);
  byId('edit').open = true;
  byId('edit-fields').querySelector('textarea')?.focus();
}

function show(chosen) {
  record = chosen;
  byId('edit-title').textContent = record ? `Change record ${record.id}` : 'Add a record';
  byId('edit-save').textContent = record ? 'Save the record' : 'Add the record';
  byId('edit-delete').hidden = byId('edit-new').hidden = !record;
  byId('edit-fields').replaceChildren(
    ...application.parts.filter(isTyped).map((part) => {
      const field = element('textarea', { name: part.id, rows: 1, spellcheck: 'false' });
      field.value = textOf(part, record?.values[part.name]);
      field.dataset.before = field.value;
      return element('label', {}, part.name, element('small', {}, hintOf(part)), field);
    }),
  );
}

function isTyped({ system, readonly, type }) {
  return !system && !readonly && !notTyped.includes(type);
}

function hintOf({ type, options, required }) {
  const form = {
    input_list: 'rows as JSON',
    checkbox: 'one per line',
    listbox: 'one per line',
    users: 'IDs, one per line',
    groups: 'IDs, one per line',
  }[type];
  return [required && 'required', form ?? type, options.join(', ')].filter(Boolean).join(' · ');
}

/** A value as it is typed: rows as JSON with their IDs, several values in lines. */
function textOf({ type, children }, value) {
  if (value === undefined || value === null) return '';
  if (type === 'input_list') return JSON.stringify(value.map((row) => rowOf(row, children)));
  if (!Array.isArray(value)) return String(value);
  return value.map((one) => (typeof one === 'object' ? one.id : one)).join('\n');
}

function rowOf({ id, ...values }, children) {
  const typed = children.filter(isTyped).filter(({ name }) => values[name] !== undefined);
  return {
    data_id: id,
    ...Object.fromEntries(typed.map((part) => [keyOf(part), wire(part, textOf(part, values[part.name]))])),
  };
}

/** The text as the service takes it (docs/dev/interface.md, "insert_data"). */
function wire({ type }, text) {
  return ['checkbox', 'listbox', 'users', 'groups'].includes(type) ? text.split('\n').join('\t') : text;
}

function keyOf({ name, identifier }) {
  return application.partIdentifierMode ? identifier : name;
}

async function save() {
  const fields = [...byId('edit-fields').querySelectorAll('textarea')].flatMap((field) => {
    const part = application.parts.find(({ id }) => String(id) === field.name);
    return field.value === field.dataset.before ? [] : [[`{{${keyOf(part)}}}`, wire(part, field.value)]];
  });
  if (!record) return await call('insert_data', fields, 'Added');
  await call(
    'update_data',
    [['data_id', record.id], ['{{revision}}', '0'], ...fields],
    `Record ${record.id} saved`,
  );
}

async function remove() {
  await call('delete_data', [['data_id', record.id]], `Record ${record.id} deleted`);
}

/** Calls the service beside the page, whatever host its address names. */
async function call(action, fields, done) {
  const body = new URLSearchParams([['action', action], ['app_id', application.id], ...fields]);
  const path = `${new URL(base).pathname.replace(/\/$/, '')}/appsr.cgi`;
  const headers = { 'X-Service-Auth': byId('edit-user').value };
  try {
    const response = await fetch(path, { method: 'POST', headers, body });
    const { status, errormessage } = await response.json();
    byId('edit-result').textContent = status === 'ok' ? done : errormessage;
    announce(byId('edit-result').textContent);
    if (status === 'ok') show(undefined);
  } catch (error) {
    byId('edit-result').textContent = `No answer from the service: ${error.message}`;
  }
}
