const { createRequire } = require('node:module');
const { join } = require('node:path');
const vm = require('node:vm');

const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Stands for the process's realm when jest asks in which realm to compile a module. */
const OWN_REALM = Object.freeze({ realm: 'own' });

const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) =>
  compileFunction(
    code,
    parameters,
    options?.parsingContext === OWN_REALM ? { ...options, parsingContext: undefined } : options,
  );

// The sandbox, a process in many test files, starts in half the time with Node.js's compile cache.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, '../../node_modules/.cache/compiled');

/** Sandboxes that test files have used and that later ones can borrow: test/support/sandbox.ts. */
const idleSandboxes = [];

/** The process's functions that jest replaces for each file. */
const REPLACED = ['exit', 'getBuiltinModule'];

/**
 * Runs test files in the realm of their process instead of a separate one. So they can share the packages that
 * `native.cjs` loads once, such as n8n's engine, and an `Error` is an `Error` on both sides, as in n8n. The project's
 * own modules are loaded again for each file, and a file's changes to globals and variables end with it.
 */
module.exports = class OneRealmEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.globals = Object.getOwnPropertyDescriptors(globalThis);
    this.variables = { ...process.env };
    this.functions = REPLACED.map((name) => [name, process[name]]);
    globalThis.idleSandboxes = idleSandboxes;
    globalThis.requireNatively = createRequire(__filename);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const [name, original] of this.functions) process[name] = original;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    restore(globalThis, this.globals);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return OWN_REALM;
  }
};

/** Restores the properties of an object, and removes new ones. */
function restore(object, properties) {
  for (const name of Reflect.ownKeys(object))
    if (!Object.hasOwn(properties, name)) Reflect.deleteProperty(object, name);
  for (const name of Reflect.ownKeys(properties)) {
    const property = properties[name];
    if (property.configurable && !isSame(property, Object.getOwnPropertyDescriptor(object, name)))
      Object.defineProperty(object, name, property);
  }
}

function isSame(one, other) {
  return other !== undefined && ['value', 'get', 'set'].every((key) => Object.is(one[key], other[key]));
}
