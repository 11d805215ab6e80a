import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PACKAGES } from '../../openapi/packages.ts'
import manifest from '../../package.json' with { type: 'json' }
import { versionsIn, withVersion } from './version.ts'

const cwd = fileURLToPath(new URL('../..', import.meta.url))
const { stdout } = spawnSync('git', ['ls-files'], { cwd, encoding: 'utf8' })
const named = stdout
  .trim()
  .split('\n')
  .filter((path) => /\.(md|json|ya?ml|toml|ts)$/.test(path))
  .map((path) => [path, versionsIn(path, readFileSync(`${cwd}/${path}`, 'utf8'))] as const)
  .filter(([, versions]) => versions.length > 0)

test('packages, contracts, pages and tags have one version', () => {
  expect(named.filter(([, versions]) => versions.some((each) => each !== manifest.version))).toEqual([])
  const files = named.map(([path]) => path)
  const manifests = PACKAGES.filter(({ built }) => !built).map(({ directory }) => `${directory}/package.json`)
  const contracts = ['openapi', 'admin', 'sandbox'].map((name) => `openapi/${name}.yaml`)
  expect(files).toEqual(expect.arrayContaining([...manifests, ...contracts, 'client/user-agent.ts']))
  expect(named.find(([path]) => path === 'package-lock.json')?.[1]).toHaveLength(manifests.length + 2)
})

test.each([
  ['README.md', 'npm install ./malipo-gateway-0.2.0.tgz', 'npm install ./malipo-gateway-1.0.0.tgz'],
  ['README.md', 'npx @malipo/client@0.2.0', 'npx @malipo/client@1.0.0'],
  ['README.md', 'docker run ghcr.io/malipo/gateway:0.2.0', 'docker run ghcr.io/malipo/gateway:1.0.0'],
  ['action.yml', 'uses: malipo/malipo/contract-tests@v0.2.0', 'uses: malipo/malipo/contract-tests@v1.0.0'],
  ['openapi/openapi.yaml', 'info:\n  version: 0.2.0\n', 'info:\n  version: 1.0.0\n'],
  ['openapi/operators/airtel.yaml', 'info:\n  version: 0.2.0\n', 'info:\n  version: 0.2.0\n'],
  ['package.json', '"name": "undici",\n  "version": "0.2.0"', '"name": "undici",\n  "version": "0.2.0"'],
  ['CHANGELOG.md', '`malipo-client/0.2.0`', '`malipo-client/0.2.0`'],
])('a release writes its version into %s where it is ours: %s', (path, before, after) => {
  expect(withVersion(path, before, '1.0.0')).toBe(after)
})
