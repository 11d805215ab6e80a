// `npm run lint`: the contract, those of the operators, the workflows, and the bundle by a second linter. Ends at the
// first that has a finding. No shell: none of them sets a variable or expands a pattern alike on every system.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OPERATOR_DOCUMENTS } from './operators/operators.ts'
import { ADMIN_CONFIG, ADMIN_CONTRACT, SANDBOX_CONFIG, SANDBOX_CONTRACT } from './admin/admin.ts'
import { CONFIG, redoclyInTerminal } from './redocly.ts'

const cwd = fileURLToPath(new URL('..', import.meta.url))
const SPECTRAL = 'node_modules/@stoplight/spectral-cli/dist/index.js'
const RULES = ['--ruleset', 'openapi/spectral.yaml', '--fail-severity', 'hint', '--quiet']
const WORKFLOWS = globSync('openapi/workflows/*.arazzo.yaml', { cwd })

function spectral(...args: readonly string[]): number {
  return spawnSync(process.execPath, [SPECTRAL, ...args], { cwd, stdio: 'inherit' }).status ?? 1
}

process.exitCode =
  redoclyInTerminal('lint', 'openapi/openapi.yaml', ...CONFIG) ||
  redoclyInTerminal('lint', ADMIN_CONTRACT, ...ADMIN_CONFIG) ||
  redoclyInTerminal('lint', SANDBOX_CONTRACT, ...SANDBOX_CONFIG) ||
  redoclyInTerminal('lint', ...OPERATOR_DOCUMENTS, '--config', 'openapi/operators/redocly.yaml') ||
  redoclyInTerminal('lint', ...WORKFLOWS, '--extends', 'recommended-strict') ||
  spectral('lint', 'generated/openapi.json', ...RULES)
