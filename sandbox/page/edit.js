import { announce, byId, element } from './control.js';
import { fieldOf, isTyped } from './fields.js';
import { people } from './values.js';

let application;
let record;
let fields = [];
let base;

/** Connects the form in which a person plays a colleague: each change is a call of the service, with that colleague's key. */
export function startEditing(baseUrl) {
  base = baseUrl;
  const options = people.users
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
  application = shown;
  show(undefined);
}

/** Fills the form with a record, and opens it. */
export function edit(chosen) {
  show(chosen);
  byId('edit').open = true;
  byId('edit-fields').querySelector('input, select, textarea')?.focus();
}

function show(chosen) {
  record = chosen;
  tell('');
  byId('edit-title').textContent = record ? `Change record ${record.id}` : 'Add a record';
  byId('edit-save').textContent = record ? 'Save the record' : 'Add the record';
  byId('edit-delete').hidden = byId('edit-new').hidden = !record;
  document.querySelectorAll('datalist').forEach((list) => list.remove());
  fields = application.parts.filter(isTyped).map((part) => fieldOf(part, record?.values[part.name], keyOf));
  byId('edit-fields').replaceChildren(...fields.map(({ field }) => field));
}

function keyOf({ name, identifier }) {
  return application.partIdentifierMode ? identifier : name;
}

async function save() {
  const changed = fields
    .filter(({ text, before }) => text() !== before)
    .map(({ part, text }) => [`{{${keyOf(part)}}}`, text()]);
  if (!record) return await call('insert_data', changed, 'The record was added');
  await call(
    'update_data',
    [['data_id', record.id], ['{{revision}}', '0'], ...changed],
    `Record ${record.id} was saved`,
  );
}

async function remove() {
  await call('delete_data', [['data_id', record.id]], `Record ${record.id} was deleted`);
}

/** Calls the service beside the page, whatever host its address names. */
async function call(action, parameters, done) {
  const body = new URLSearchParams([['action', action], ['app_id', application.id], ...parameters]);
  const path = `${new URL(base).pathname.replace(/\/$/, '')}/appsr.cgi`;
  const headers = { 'X-Service-Auth': byId('edit-user').value };
  let answer;
  try {
    answer = await (await fetch(path, { method: 'POST', headers, body })).json();
  } catch (error) {
    return tell(`No answer from the service: ${error.message}`, true);
  }
  if (answer.status !== 'ok') return tell(inWords(answer.errormessage), true, inBraces(answer.errmsgadd));
  show(undefined);
  tell(done);
}

/** What came of a call; where it was refused, in red, with the part that is at fault. */
function tell(text, isRefused = false, key = '') {
  const result = byId('edit-result');
  result.textContent = text;
  result.className = isRefused ? 'bad' : '';
  for (const { part, field, node } of fields) {
    const isAtFault = key !== '' && keyOf(part) === key;
    field.classList.toggle('bad', isAtFault);
    if (isAtFault) node.setAttribute('aria-invalid', 'true');
    else node.removeAttribute('aria-invalid');
  }
  if (text !== '') announce(text);
}

/** The service's words without the letter, the code and the braces around parts. */
function inWords(message) {
  const words = message.replace(/^[A-Z]:/, '').replace(/\s*\[[A-Z]\d+\]\s*$/, '');
  return words.replaceAll(/\{\{([^{}]*)\}\}/g, '"$1"');
}

function inBraces(text) {
  return /^\{\{([^{}]*)\}\}$/.exec(text ?? '')?.[1] ?? '';
}
