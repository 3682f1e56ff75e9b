/**
 * A jest transformer for installed packages. Node.js loads them once in a process, however many test files use them.
 * jest itself would load n8n's engine again for each file, which takes longer than most files.
 */
module.exports = {
  process: () => ({ code: 'module.exports = requireNatively(__filename);' }),
};
