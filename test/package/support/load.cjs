// node load.cjs FOLDER: loads an unpacked package with the loader of the n8n-core on NODE_PATH, as n8n does at its
// start. Prints one line of JSON: the names of the node and credential types, with the methods of the nodes.
require('reflect-metadata');
const { PackageDirectoryLoader } = require('n8n-core');

const loader = new PackageDirectoryLoader(process.argv[2]);
loader
  .loadAll()
  .then(() => {
    const nodes = Object.fromEntries(
      Object.entries(loader.nodeTypes).map(([name, { type }]) => [
        name,
        { methods: Object.keys(type.methods ?? {}), icon: type.description.iconUrl },
      ]),
    );
    console.log(JSON.stringify({ nodes, credentials: Object.keys(loader.credentialTypes) }));
    // n8n-core leaves timers and handlers open.
    process.exit(0);
  })
  .catch((error) => {
    console.error(error);
    process.exit(1);
  });
