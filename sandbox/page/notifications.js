import { announce, byId, control, logEntry } from './control.js';

const shownNotifications = 50;
let log = [];
let shown;

/** Connects the form. `chosen` returns the application that is shown. */
export function startNotifications(chosen) {
  byId('notification-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const events = ['added', 'updated'].filter((name) => form.has(name));
    void save(chosen(), { address: form.get('address'), token: form.get('token'), events });
  });
  byId('no-notification').addEventListener('click', () => void save(chosen(), null));
}

async function save(application, notification) {
  try {
    await control(`/applications/${application}`, { method: 'PATCH', body: { notification } });
    announce(notification ? 'Notifications are now sent' : 'Notifications are switched off');
    await showSettings(application);
  } catch (error) {
    announce(error.message);
  }
}

/** Shows what an application sends, and the results. */
export async function showSettings(application) {
  const [{ notification }, entries] = await Promise.all([
    control(`/applications/${application}`),
    control('/notifications'),
  ]);
  shown = String(application);
  log = entries;
  const { elements } = byId('notification-form');
  elements.address.value = notification?.address ?? '';
  elements.token.value = notification?.token ?? '';
  for (const name of ['added', 'updated'])
    elements[name].checked = notification?.events.includes(name) ?? true;
  list();
}

/** Adds a notification that has ended. */
export function showNotification(entry) {
  log = [...log.slice(-1000), entry];
  list();
}

function list() {
  const entries = log
    .filter(({ application }) => application === shown)
    .slice(-shownNotifications)
    .reverse();
  byId('notification-log').replaceChildren(
    ...entries.map((entry) => {
      const { type, record, answer, ms } = entry;
      return logEntry(entry, `record ${record} ${type}`, `${ms} ms`, answer.slice(0, 200));
    }),
  );
}
