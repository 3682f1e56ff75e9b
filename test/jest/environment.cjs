const { createRequire } = require('node:module');
const { join } = require('node:path');
const vm = require('node:vm');

const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Stands for the realm of the process, where jest asks in which realm it is to compile a module. */
const OWN_REALM = Object.freeze({ realm: 'own' });

const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) =>
  compileFunction(
    code,
    parameters,
    options?.parsingContext === OWN_REALM ? { ...options, parsingContext: undefined } : options,
  );

// The sandbox, a process in many files, starts in half the time where Node.js finds its modules compiled.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, '../../node_modules/.cache/compiled');

/** Sandboxes that files have borrowed and given back, for those after them: test/support/sandbox.ts. */
const idleSandboxes = [];

/** What jest puts in place of the process's own functions, for each file anew. */
const REPLACED = ['exit', 'getBuiltinModule'];

/**
 * Test files run in the realm of their process, and not each in one of its own: so that they can share the packages
 * that `native.cjs` loads once, n8n's engine among them, and an `Error` is an `Error` on both sides, as it is in n8n.
 * The project's own modules are loaded anew for each file, and what a file does to globals and variables ends with it.
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

/** Gives an object the properties that it had, and takes those away that it has got since. */
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
