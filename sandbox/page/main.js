import { showCall, showEarlierCalls, showStatistics } from './calls.js';
import { byId, control, copies } from './control.js';
import { startEditing } from './edit.js';
import { showNotification, showSettings, startNotifications } from './notifications.js';
import { showPeople } from './people.js';
import { Records } from './records.js';
import { readPeople } from './values.js';

const records = new Records(showSettings);

async function showAll() {
  const { baseUrl, accessKey } = await control('/');
  showAddress('base-url', baseUrl, 'Base URL');
  showAddress('access-key', accessKey, 'Access key');
  await readPeople();
  startEditing(baseUrl);
  await Promise.all([
    records.refresh(),
    showEarlierCalls(),
    showStatistics(),
    showPeople(baseUrl, accessKey),
  ]);
}

/** Something to enter in the credential, with its button. */
function showAddress(id, text, what) {
  byId(id).textContent = text;
  copies(document.querySelector(`[data-copies="${id}"]`), text, what);
}

/** Many calls per second lead to only a few reads. */
function soon(work, ms) {
  let timer;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      work().catch(reportLost);
    }, ms);
  };
}

function reportLost() {
  byId('connection').textContent = 'The sandbox is not responding';
}

const refreshSoon = soon(() => Promise.all([records.refresh(), showStatistics()]), 150);

startNotifications(() => records.chosen);
const events = new EventSource('/control/events');
events.addEventListener('open', () => {
  byId('connection').textContent = 'Live';
  showAll().catch(reportLost);
});
events.addEventListener('error', reportLost);
events.addEventListener('call', ({ data }) => {
  showCall(JSON.parse(data));
  refreshSoon();
});
events.addEventListener('notification', ({ data }) => showNotification(JSON.parse(data)));
events.addEventListener('changed', refreshSoon);
