import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const { community, credentials, nodes } = n8nNodesBase.configs;

// The rules of this repository, for "npm run lint". n8n's own rules for the published package are in eslint.config.mjs,
// which n8n's strict mode wants unchanged; "npm run test:verification" checks them.
export default tseslint.config(
  globalIgnores(['dist/', 'coverage/', '**/node_modules/', 'demo/.data/', 'test/e2e/.artifacts/']),

  // All TypeScript files.
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        // The tests' program also contains the nodes, so the nodes' own program is created only for a file that no test
        // imports.
        project: ['./test/tsconfig.json', './tsconfig.tools.json', './tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      complexity: ['error', 15],
      eqeqeq: 'error',
      'max-lines': ['error', 400],
      'no-console': 'off',
      'no-duplicate-imports': 'error',
      'prefer-const': 'error',
    },
  },

  // The published package, with the rules of n8n's verification.
  {
    files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
    extends: [n8nCommunityNodesPlugin.configs.recommended],
  },
  {
    files: ['package.json'],
    plugins: { 'n8n-nodes-base': n8nNodesBase },
    rules: { ...community.rules },
    languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
  },
  {
    files: ['credentials/**/*.ts'],
    plugins: { 'n8n-nodes-base': n8nNodesBase },
    rules: {
      ...credentials.rules,
      // These rules do not support the names of the credential's fields and its documentation link.
      'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
      'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
      // "accessKey" is a secret, but not on the rule's list of secret words.
      '@n8n/community-nodes/credential-unnecessary-password': 'off',
    },
  },
  {
    files: ['nodes/**/*.ts'],
    plugins: { 'n8n-nodes-base': n8nNodesBase },
    rules: {
      ...nodes.rules,
      // Outdated in the plugin: n8n's own configuration also turns them off.
      'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
      'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
      'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
);
