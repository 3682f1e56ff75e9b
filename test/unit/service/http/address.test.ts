import {
  dataModuleUrl,
  downloadUrl,
  parseBaseUrl,
} from '../../../../nodes/ApplicationDataService/service/http/address';

describe('parseBaseUrl', () => {
  test.each([
    ['https://host.example/cgi-bin/dneo/dneo.cgi', 'https://host.example/cgi-bin/dneo/'],
    ['https://host.example/cgi-bin/dneo/dneo.cgi?cmd=login#top', 'https://host.example/cgi-bin/dneo/'],
    ['https://host.example/cgi-bin/dneo/dneo.cgi/extra/path', 'https://host.example/cgi-bin/dneo/'],
    ['https://host.example/cgi-bin/dneo/dneo.html#/apps/301', 'https://host.example/cgi-bin/dneo/'],
    ['https://host.example/dneo/dneo.cgi;jsessionid=1', 'https://host.example/dneo/'],
    ['https://host.example/dneo/dneo.cgi%3Fcmd=x', 'https://host.example/dneo/'],
    ['\u200bhttps://host.example/dneo/\ufeff', 'https://host.example/dneo/'],
    ['https://host.example/dneo/portal.jsp?x=1', 'https://host.example/dneo/'],
    ['https://host.example/cgi-bin/dneo/', 'https://host.example/cgi-bin/dneo/'],
    ['https://host.example/cgi-bin/dneo', 'https://host.example/cgi-bin/dneo/'],
    ['  https://host.example/dneo/appsr.cgi \n', 'https://host.example/dneo/'],
    ['http://host.example:8080', 'http://host.example:8080/'],
    ['https://host.example/v1.2/dneo', 'https://host.example/v1.2/dneo/'],
    ['https://host.example/scripts/dneo/dneo.exe?', 'https://host.example/scripts/dneo/'],
  ])('%j is in %s', (pasted, directory) => {
    expect(parseBaseUrl(pasted).href).toBe(directory);
  });

  test.each([
    ['', 'empty'],
    ['host.example/dneo', 'not a web address'],
    ['ftp://host.example/dneo', 'not a web address'],
    ['https://user:secret@host.example/', 'user name or password'],
  ])('%j is refused with a sentence', (pasted, words) => {
    expect(() => parseBaseUrl(pasted)).toThrow(words);
  });

  it('does not repeat a password in the pasted text', () => {
    expect(() => parseBaseUrl('https://user:secret@host.example/')).not.toThrow(/secret/);
  });
});

describe('dataModuleUrl', () => {
  const base = parseBaseUrl('https://host.example/dneo/');

  it('is beside the base', () => {
    expect(dataModuleUrl(base, 'appsr.cgi')).toBe('https://host.example/dneo/appsr.cgi');
    expect(dataModuleUrl(base, '  ')).toBe('https://host.example/dneo/appsr.cgi');
  });

  test.each([
    ...['..', '.', '../appsr.cgi', 'sub/appsr.cgi', '\\appsr.cgi', 'appsr.cgi?x=1'],
    ...['https://other.example/appsr.cgi', '//other.example/x'],
  ])('%s is no file name', (name) => {
    expect(() => dataModuleUrl(base, name)).toThrow('not a file name');
  });
});

describe('downloadUrl', () => {
  const base = parseBaseUrl('https://host.example:8443/cgi-bin/dneo/dneo.cgi');
  const query = '?action=download_data_file&app_id=408&field_id=122&id=184';

  test.each([
    `https://host.example:8443/cgi-bin/dneo/appsuite.cgi${query}`,
    `http://internal.example/cgi-bin/dneo/appsuite.cgi${query}`,
    `//internal.example/other/appsuite.cgi${query}`,
    `/cgi-bin/dneo/appsuite.cgi${query}`,
    `appsuite.cgi${query}`,
    `https://user:pw@internal.example/appsuite.cgi${query}`,
  ])('%s is requested beside the data module', (address) => {
    expect(downloadUrl(base, address)).toBe(`https://host.example:8443/cgi-bin/dneo/appsuite.cgi${query}`);
  });

  test.each(['name=a%83b%20c+d', 'q=%e3%81%82&x=(a)~!*', 'n=download-key-1&access_key=x'])(
    '%s stays as it is',
    (more) => {
      expect(downloadUrl(base, `a.cgi${query}&${more}`)).toBe(
        `https://host.example:8443/cgi-bin/dneo/a.cgi${query}&${more}`,
      );
    },
  );

  test.each(['', 'https://other.example/', '/appsuite.cgi', 'javascript:alert(1)', '..?x=1'])(
    '%j is refused',
    (address) => {
      expect(() => downloadUrl(base, address)).toThrow('no usable download address');
    },
  );
});
