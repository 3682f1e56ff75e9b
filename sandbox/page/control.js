/** Makes one control call; throws the sandbox's message if it cannot be done. */
export async function control(path, { method = 'GET', body } = {}) {
  const response = await fetch(`/control${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** An element with attributes and children; texts are never read as HTML. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

/** An entry of a log: how it ended, what it was, facts about it, and a text below. */
export function logEntry({ outcome, errorno, httpStatus }, what, facts, below, attributes = {}) {
  const ended = errorno === undefined ? outcome : `${outcome} ${errorno}`;
  return element(
    'li',
    attributes,
    element('b', { class: outcome === 'ok' ? 'ok' : undefined }, ended),
    ` ${what} `,
    element('span', {}, `${httpStatus || 'no answer'} · ${facts}`),
    element('br'),
    below,
  );
}

export const byId = (id) => document.getElementById(id);

/** Lets a button copy a text. */
export function copies(button, text, what) {
  button.onclick = async () => {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
  };
}

/** Announces a text, also to people who use a screen reader. */
export function announce(text) {
  byId('news').textContent = text;
}
