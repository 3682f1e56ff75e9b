// Copies pictures from the last "npm run e2e" into docs/images: those that you name, or all.
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const taken = join(repository, 'test', 'e2e', '.artifacts', 'pictures');
const images = join(repository, 'docs', 'images');

const there = existsSync(taken) ? readdirSync(taken).map((file) => basename(file, '.png')) : [];
const wanted = process.argv.length > 2 ? process.argv.slice(2) : there;
const missing = wanted.filter((name) => !there.includes(name));

if (there.length === 0 || missing.length > 0) {
  console.error(
    there.length === 0
      ? 'There are no pictures: "npm run e2e" takes them.'
      : `No such picture: ${missing.join(', ')}. There are: ${there.join(', ')}.`,
  );
  process.exit(1);
}
for (const name of wanted.sort()) {
  const image = join(images, `${name}.png`);
  copyFileSync(join(taken, `${name}.png`), image);
  console.log(`docs/images/${name}.png  ${Math.ceil(statSync(image).size / 1024)} KB`);
}
