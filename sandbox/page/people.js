import { byId, control, copies, element } from './control.js';
import { people } from './values.js';

const scopes = { own: 'own records only', none: 'no records' };

/** Shows the users with their keys, and a call that a person can copy. */
export async function showPeople(baseUrl, accessKey) {
  byId('user-rows').replaceChildren(
    ...people.users.map(({ id, name, accessKey: key, active, rights }) => {
      const may = active ? rightsInWords(rights) : 'nothing: the key is switched off';
      const cells = [`${name} (${id})`, element('code', {}, key), may];
      return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
    }),
  );
  const [application] = await control('/applications');
  const call = `curl -H "X-Service-Auth: ${accessKey}" -d action=list_data -d app_id=${application?.id ?? 301} ${baseUrl}/appsr.cgi`;
  byId('example-call').textContent = call;
  copies(byId('copy-call'), call, 'Call');
}

function rightsInWords(rights) {
  const words = Object.entries(rights).map(
    ([application, { access, add, read, write, delete: remove, parts }]) => {
      const limits = [
        access === false && 'no access',
        add === false && 'no adding',
        ...Object.entries({ reads: read, changes: write, deletes: remove }).map(
          ([what, scope]) => scopes[scope] && `${what} ${scopes[scope]}`,
        ),
        ...Object.entries(parts ?? {}).map(([part, right]) => `${part}: ${right}`),
      ].filter(Boolean);
      return `${application === '*' ? 'everywhere' : application}: ${limits.join(', ') || 'everything'}`;
    },
  );
  return words.join('; ') || 'everything';
}
