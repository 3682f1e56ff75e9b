import { announce, byId, control, element } from './control.js';
import { edit, editsOf } from './edit.js';
import { nameOf, textOf } from './values.js';

const pageSize = 50;
/** Types of parts with values from other applications. */
const elsewhere = ['reference', 'rel_list'];

/** Applications and the records of the chosen one. New and changed values are highlighted. */
export class Records {
  #chosen;
  #versions = new Map();
  #known = new Map();
  #offset = 0;
  #parts = [];
  #edited;
  #refreshing = false;
  #again = false;
  #onChosen;

  /** @param onChosen called when another application is shown */
  constructor(onChosen) {
    this.#onChosen = onChosen;
    byId('older').addEventListener('click', () => this.#turn(pageSize));
    byId('newer').addEventListener('click', () => this.#turn(-pageSize));
  }

  /** The application whose records are shown. */
  get chosen() {
    return this.#chosen;
  }

  /** Reads what has changed. Calls that arrive in the meantime lead to one more read. */
  async refresh() {
    this.#again = true;
    if (this.#refreshing) return;
    this.#refreshing = true;
    try {
      while (this.#again) {
        this.#again = false;
        await this.#read();
      }
    } finally {
      this.#refreshing = false;
    }
  }

  async #read() {
    const applications = await control('/applications');
    if (!applications.some(({ id }) => id === this.#chosen)) await this.#choose(applications[0]?.id);
    this.#showApplications(applications);
    const chosen = applications.find(({ id }) => id === this.#chosen);
    if (!chosen || this.#versions.get(chosen.id) === chosen.version) return;
    const first = !this.#versions.has(chosen.id);
    this.#versions.set(chosen.id, chosen.version);
    await this.#showParts(chosen);
    if (first) await this.#onChosen(chosen.id);
    await this.#showRecords(chosen, !first);
  }

  async #choose(id) {
    this.#chosen = id;
    this.#offset = 0;
    this.#versions.clear();
    this.#known.clear();
  }

  #turn(by) {
    this.#offset = Math.max(0, this.#offset + by);
    this.#versions.clear();
    this.#known.clear();
    void this.refresh();
  }

  #showApplications(applications) {
    const focused = document.activeElement?.dataset?.application;
    byId('applications').replaceChildren(
      ...applications.map(({ id, name, identifier, records, status }) => {
        const facts = `${records} ${records === 1 ? 'record' : 'records'}${identifier ? ` · @${identifier}` : ''}${status === 'running' ? '' : ` · ${status}`}`;
        const button = element(
          'button',
          { type: 'button', 'aria-current': String(id === this.#chosen), 'data-application': id },
          name,
          element('small', {}, facts),
        );
        button.addEventListener('click', async () => {
          await this.#choose(id);
          await this.refresh();
        });
        return element('li', {}, button);
      }),
    );
    if (focused) document.querySelector(`[data-application="${focused}"]`)?.focus();
  }

  async #showParts({ id, name, identifier, status }) {
    const application = await control(`/applications/${id}`);
    if (String(this.#edited) !== String(id)) editsOf(application);
    this.#edited = id;
    this.#parts = application.parts;
    byId('application-name').textContent = name;
    byId('application-facts').textContent =
      `ID ${id}${identifier ? `, @${identifier}` : ''}, ${status}${application.partIdentifierMode ? ', part identifier mode' : ''}`;
    byId('part-rows').replaceChildren(...application.parts.flatMap((part) => partRows(part, '')));
  }

  async #showRecords({ id, records: count }, light) {
    const query = `offset=${this.#offset}&limit=${pageSize}&order=last`;
    const left = Math.max(0, count - this.#offset);
    const records = (await control(`/applications/${id}/records?${query}`)).slice(
      0,
      Math.min(pageSize, left),
    );
    records.reverse();
    byId('older').disabled = left <= pageSize;
    byId('newer').disabled = this.#offset === 0;
    byId('range').textContent =
      records.length === 0
        ? 'no records'
        : `${count - this.#offset - records.length + 1}–${count - this.#offset} of ${count}`;

    const shown = this.#parts.filter(({ system, type }) => !system && !elsewhere.includes(type));
    const heads = ['ID', 'Revision', ...shown.map(({ name }) => name), 'Updated'];
    byId('record-head').replaceChildren(
      element('tr', {}, ...heads.map((head) => element('th', { scope: 'col' }, head))),
    );
    const news = [];
    const rows = records.map((record) => {
      const before = this.#known.get(record.id);
      const cells = [
        record.id,
        record.revision,
        ...shown.map((part) => textOf(part, record.values[part.name])),
        `${record.updatedAt.replace('T', ' ')} by ${nameOf('users', record.updatedBy)}`,
      ].map(String);
      this.#known.set(record.id, cells);
      const isNew = light && !before;
      if (isNew) news.push(`record ${record.id} is new`);
      else if (light && before.join('\n') !== cells.join('\n')) news.push(`record ${record.id} has changed`);
      return element(
        'tr',
        { 'data-record': record.id, class: isNew ? 'fresh' : undefined },
        ...cells.map((text, column) => {
          const isFresh = light && before && before[column] !== text;
          return element(
            'td',
            { class: isFresh ? 'fresh' : undefined },
            column === 0 ? editButton(record) : linesOf(text),
          );
        }),
      );
    });
    byId('record-rows').replaceChildren(...rows);
    if (news.length > 0) announce(news.slice(0, 3).join(', '));
  }
}

/** The ID of a record, which opens it in the form. */
function editButton(record) {
  const button = element(
    'button',
    { type: 'button', title: `Change record ${record.id}` },
    String(record.id),
  );
  button.addEventListener('click', () => edit(record));
  return button;
}

function partRows(
  { id, name, identifier, type, readonly, required, options, formula, children, system },
  prefix,
) {
  const notes = [
    system && 'system',
    readonly && !system && 'read-only',
    required && 'required',
    options.length > 0 && options.join(', '),
    formula,
  ].filter(Boolean);
  const cells = [String(id), `${prefix}${name}`, identifier, type, notes.join(' · ')];
  return [
    element('tr', {}, ...cells.map((text) => element('td', {}, text))),
    ...children.flatMap((child) => partRows(child, `${name}.`)),
  ];
}

/** A text in its lines, cut where they are long, so that one record does not fill the page; pointing at one shows it. */
function linesOf(text) {
  const lines = text.split('\n').map((line) => element('div', { title: line }, line));
  return element('div', { class: 'lines' }, ...lines);
}
