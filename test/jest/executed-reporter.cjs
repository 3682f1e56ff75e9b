const { readFileSync, writeFileSync } = require('node:fs');
const { SourceMap } = require('node:module');
const { relative } = require('node:path');

/**
 * A jest reporter for runs with V8's coverage. It writes to the file named in EXECUTED_FILE which test files execute each
 * function: `{ source: [{ start, end, tests }] }`, with lines and columns from 0. Code outside functions is left out.
 */
module.exports = class ExecutedReporter {
  #functions = new Map();
  #maps = new Map();

  onTestResult({ path }, { v8Coverage = [] }) {
    const test = relative(process.cwd(), path);
    for (const { codeTransformResult: compiled, result } of v8Coverage) {
      if (!compiled?.sourceMapPath) continue;
      const source = relative(process.cwd(), result.url);
      const known = this.#functions.get(source) ?? new Map();
      this.#functions.set(source, known);
      for (const { ranges } of result.functions) {
        const [{ startOffset, endOffset, count }] = ranges;
        const place = `${startOffset}-${endOffset}`;
        if (!known.has(place))
          known.set(place, { ...this.#range(compiled, startOffset, endOffset), tests: [] });
        if (count > 0) known.get(place).tests.push(test);
      }
    }
  }

  onRunComplete() {
    // What the compiler has added, such as the module itself, has no place in the source.
    const isWritten = ({ start, end }) =>
      start.line < end.line || (start.line === end.line && start.column < end.column);
    const found = [...this.#functions].map(([source, known]) => [
      source,
      [...known.values()].filter(isWritten),
    ]);
    writeFileSync(process.env.EXECUTED_FILE, JSON.stringify(Object.fromEntries(found)));
  }

  /** Where code stands in the source. */
  #range({ code, sourceMapPath, wrapperLength = 0 }, start, end) {
    if (!this.#maps.has(sourceMapPath))
      this.#maps.set(sourceMapPath, new SourceMap(JSON.parse(readFileSync(sourceMapPath, 'utf8'))));
    const at = (offset) => {
      const before = code.slice(0, offset).split('\n');
      const { originalLine, originalColumn } = this.#maps
        .get(sourceMapPath)
        .findEntry(before.length - 1, before.at(-1).length);
      return { line: originalLine, column: originalColumn };
    };
    return { start: at(start - wrapperLength), end: at(end - wrapperLength - 1) };
  }
};
